import { sql } from 'kysely';
import type { listEntitlements as endpoint } from '../../contract/plans/entitlements.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { readEntitlements, showEntitlement } from './entitlement.ts';
import type { Db } from '../db/pool.ts';

export async function listEntitlements(
  { db, graceHours, signer }: { db: Db; graceHours: number; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listEntitlements', accountId];
  const from = readCursor(signer, scope, cursor);
  const older = from === null ? sql`` : sql`and (e.granted_at, e.id) < (${from.at}, ${from.id})`;
  const rows = await readEntitlements(db, accountId, graceHours, { older, limit: limit + 1 });
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ granted_at, id }) => ({ at: granted_at, id }));
  return { status: 200, body: { entitlements: page.map(showEntitlement), next_cursor } };
}
