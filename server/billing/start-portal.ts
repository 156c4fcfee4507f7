import pTimeout from 'p-timeout';
import type { startPortal as endpoint } from '../../contract/plans/billing.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { deadlines } from '../lib/deadlines.ts';
import { currentCustomer } from './customer.ts';
import { CustomerGone, type Provider } from './provider.ts';
import { plansUrl } from './return-url.ts';
import { reach, unavailable } from './start-checkout.ts';
import type { Db } from '../db/pool.ts';
import type { FastifyBaseLogger } from 'fastify';

/** Needs no verified prices: a wrong price must not keep anybody from ending a plan. */
export async function startPortal(
  { db, log, provider, publicUrl }: { db: Db; log: FastifyBaseLogger; provider: Provider; publicUrl: string },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const customer = await currentCustomer(db, provider.name, caller.accountId);
  if (customer === null) throw nothingToManage();
  const opened = reach({ log }, provider.createPortal(customer, plansUrl(publicUrl))).catch((error: unknown) => {
    throw error instanceof CustomerGone ? nothingToManage() : error;
  });
  const { url, expiresAt } = await pTimeout(opened, {
    milliseconds: deadlines.provider.checkout,
    message: unavailable(),
  });
  return { status: 201, body: { portal: { url, expires_at: expiresAt.toISOString() } } };
}

const nothingToManage = () =>
  new Refusal('entitlement_required', {
    message: 'The account has never paid for a plan, so there is nothing to manage.',
    action: 'Start one with POST /api/checkout/tier.',
  });
