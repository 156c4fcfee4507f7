import { Failure, type Shared, show } from './output.ts';
import { asOperator } from './connection.ts';

/** Fails if a price differs, so that a deployment can wait for it. */
export async function verifyPrices(options: Shared): Promise<void> {
  const checks = await asOperator(options, (atelier) => atelier.verifyPrices());
  const lines = checks.prices.map(({ plan_code: code, verified, reason }) =>
    [code.padEnd(12), verified ? 'verified' : 'not verified', reason ?? ''].join('  ').trimEnd(),
  );
  show(options, checks, lines);
  if (!checks.checkout_available)
    throw new Failure(
      'Checkout is closed: not every price is verified.',
      'Fix plans.yaml or the price at the provider.',
    );
}
