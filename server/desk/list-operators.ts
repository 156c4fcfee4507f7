import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listOperators as endpoint } from '../../contract/desk-accounts.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import type { Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import type { Db } from '../db/pool.ts';

export async function listOperators(
  { db, signer }: { db: Db; signer: Signer },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listOperators'];
  const from = readCursor(signer, scope, cursor);
  const rows = await db
    .selectFrom('auth.user as u')
    .where(sql<boolean>`u.operator`)
    .$if(from !== null, (rows) => rows.where(sql<boolean>`(u.created_at, u.id) > (${from?.at}, ${from?.id})`))
    .select((row) => [
      'u.id',
      'u.name',
      'u.email',
      'u.created_at',
      row
        .selectFrom('jobs as j')
        .whereRef('j.operator_id', '=', 'u.id')
        .where('j.held_since', 'is not', null)
        .select((jobs) => jobs.fn.countAll<string>().as('held'))
        .as('held_jobs'),
    ])
    .orderBy('u.created_at')
    .orderBy('u.id')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows, limit, ({ created_at, id }) =>
    writeCursor(signer, scope, { at: created_at, id }),
  );
  const operators = page.map(({ id, name, email, held_jobs }) => ({
    id: showId('user', id),
    name,
    email,
    held_jobs: Number(held_jobs),
  }));
  return { status: 200, body: { operators, next_cursor } };
}
