import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listSessions as endpoint } from '../../contract/sessions.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { sessionsOf, showSession } from './listed-session.ts';

export async function listSessions(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const rows = await sessionsOf(db, caller).orderBy('last_used_at', 'desc').orderBy('id', 'desc').execute();
  return { status: 200, body: { sessions: rows.map((row) => showSession(row, caller)) } };
}
