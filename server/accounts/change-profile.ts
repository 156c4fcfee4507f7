import type { AnswerOf } from '../../contract/endpoint.ts';
import type { changeProfile as endpoint } from '../../contract/sessions.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { showUser } from './person.ts';

export async function changeProfile(
  { db }: { db: Db },
  { caller, body: { name } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await db.updateTable('auth.user').set({ name }).where('id', '=', caller.userId).execute();
  return { status: 200, body: { user: showUser({ ...caller, id: caller.userId, name }) } };
}
