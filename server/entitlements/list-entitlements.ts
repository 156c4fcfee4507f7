import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listEntitlements as endpoint } from '../../contract/entitlements.ts';
import type { Request } from '../http/request.ts';
import { entitlementsOf } from './entitlement.ts';
import type { Db } from '../db/pool.ts';

export async function listEntitlements(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { entitlements: await entitlementsOf(db, caller.accountId, graceHours) } };
}
