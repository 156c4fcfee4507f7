import { sql } from 'kysely';
import type { listIntake as endpoint } from '../../contract/ordering/intake.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { isExpired, type SessionRow, showListedSession, startedBy } from './session.ts';
import type { Db } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Signer } from '../lib/signer.ts';

export async function listIntake(
  { db, catalog, signer }: { db: Db; catalog: Catalog; signer: Signer },
  { caller, query: { status, cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listIntake', caller.accountId, status?.toSorted()];
  const from = readCursor(signer, scope, cursor);
  const { rows } = await sql<SessionRow>`
    select *, ${isExpired} as expired, ${startedBy} from intake_sessions
    where account_id = ${caller.accountId}
      ${status ? sql`and case when ${isExpired} then 'expired' else status end = any(${status})` : sql``}
      ${from ? sql`and (created_at, id) < (${from.at}, ${from.id}::uuid)` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  const sessions = page.map((row) => showListedSession(catalog, row));
  return { status: 200, body: { intake_sessions: sessions, next_cursor } };
}
