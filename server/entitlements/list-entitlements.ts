import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listEntitlements as endpoint } from '../../contract/entitlements.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { entitlementsOf } from './entitlement.ts';

/** What signed events of the payment provider granted the account. */
export async function listEntitlements(
  { db, graceHours }: Pick<Context, 'db' | 'graceHours'>,
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { entitlements: await entitlementsOf(db, caller.accountId, graceHours) } };
}
