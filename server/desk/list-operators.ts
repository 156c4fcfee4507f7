import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listOperators as endpoint } from '../../contract/desk-accounts.ts';
import { showId } from '../lib/id.ts';
import type { Db } from '../db/pool.ts';

export async function listOperators({ db }: { db: Db }): Promise<AnswerOf<typeof endpoint>> {
  const rows = await db
    .selectFrom('auth.user as u')
    .where('u.operator', '=', true)
    .select((row) => [
      'u.id',
      'u.name',
      'u.email',
      row
        .selectFrom('jobs as j')
        .whereRef('j.operator_id', '=', 'u.id')
        .where('j.held_since', 'is not', null)
        .select((jobs) => jobs.fn.countAll<string>().as('held'))
        .as('held_jobs'),
    ])
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
  const operators = rows.map((row) => ({ ...row, id: showId('user', row.id), held_jobs: Number(row.held_jobs) }));
  return { status: 200, body: { operators } };
}
