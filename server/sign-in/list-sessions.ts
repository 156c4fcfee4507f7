import { sql } from 'kysely';
import type { listSessions as endpoint } from '../../contract/people/sessions.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { sessionsOf, showSession } from './listed-session.ts';

export async function listSessions(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listSessions', caller.userId];
  const from = readCursor(signer, scope, cursor);
  const rows = await sessionsOf(db, caller)
    .$if(from !== null, (rows) => rows.where(sql<boolean>`(last_used_at, id) < (${from?.at}, ${from?.id})`))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ last_used_at, id }) => ({
    at: last_used_at,
    id,
  }));
  return { status: 200, body: { sessions: page.map((row) => showSession(row, caller)), next_cursor } };
}
