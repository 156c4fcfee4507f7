import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listIntake as endpoint } from '../../contract/intake.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import type { Request } from '../http/request.ts';
import { isExpired, type SessionRow, showListedSession } from './session.ts';
import type { Db } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Signer } from '../lib/signer.ts';

export async function listIntake(
  { db, catalog, signer }: { db: Db; catalog: Catalog; signer: Signer },
  { caller, query: { status, cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listIntake', caller.accountId, status?.toSorted()];
  const from = readCursor(signer, scope, cursor);
  const shownStatus = sql<string>`case when ${isExpired} then 'expired' else status end`;
  const rows = await db
    .selectFrom('intake_sessions')
    .selectAll()
    .select(isExpired.as('expired'))
    .where('account_id', '=', caller.accountId)
    .$if(status !== undefined, (sessions) => sessions.where(shownStatus, 'in', status ?? []))
    .$if(from !== null, (sessions) => sessions.where(sql<boolean>`(created_at, id) < (${from?.at}, ${from?.id}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows, limit, ({ created_at: at, id }) =>
    writeCursor(signer, scope, { at, id }),
  );
  const sessions = page.map((row) => showListedSession(catalog, row as unknown as SessionRow));
  return { status: 200, body: { intake_sessions: sessions, next_cursor } };
}
