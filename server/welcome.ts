import { demoKey } from './demo-account.ts';
import type { Context } from './context.ts';

const curl = (url: string, key: string) => `curl -sS ${url}/api/v1/jobs \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: first-job-$(date +%s)" \\
  -d '{
    "service_family": "design",
    "service_type": "logo",
    "customer_title": "Logo for a neighbourhood bakery",
    "customer_instructions": "Brand name: Rise Bakery. Target audience: families within two miles."
  }'`;

type Shown = {
  /** Where this process listens, whatever its public address is. */
  origin: string;
  embedded: boolean;
  operator: { email: string; password: string } | null;
  passwordHolds: boolean;
  say: (line: string) => void;
};

/** What the start shows outside production: where things are, who may sign in, and one command that creates a job. */
export async function welcome(
  { config, provider, publicUrl }: Context,
  { origin, embedded, operator, passwordHolds, say }: Shown,
): Promise<void> {
  say(`\nAtelier is listening at ${publicUrl}`);
  say(`  API reference   ${publicUrl}/docs`);
  const password = config.operator ? '(OPERATOR_PASSWORD)' : operator?.password;
  const kept = config.operator
    ? '(not OPERATOR_PASSWORD: as it was set before)'
    : '(its password as it was set before)';
  if (operator) say(`  Operator        ${operator.email}   ${passwordHolds ? password : kept}`);
  if (provider.name !== 'sandbox') say(`  Payments        Stripe, ${provider.livemode ? 'live' : 'test'} mode`);
  if (!embedded || provider.name !== 'sandbox') return;
  const key = await demoKey(origin, config.dataDir);
  say(`  Data            ${config.dataDir}`);
  say(`\nThe demo account holds the plan studio. Create a job with its key:\n\n${curl(publicUrl, key)}\n`);
}
