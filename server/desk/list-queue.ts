import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listQueue as endpoint } from '../../contract/desk.ts';
import type { Request } from '../http/request.ts';
import { type JobRow, showJobListItem } from '../jobs/job.ts';
import type { Db } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import type { Signer } from '../lib/signer.ts';
import { isParked, showHolder } from './desk-job.ts';

type Row = JobRow & { holder_name: string | null };

/** Jobs of all accounts, oldest first, a page at a time. An account id that names nothing finds nothing. */
export async function listQueue(
  db: Db,
  signer: Signer,
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { status, service_family, account_id, limit = 25 } = query;
  const scope = ['listQueue', status?.toSorted(), service_family, account_id];
  const from = readCursor(signer, scope, query.cursor);
  const account = account_id === undefined ? undefined : readId('acct', account_id);

  const rows = await db
    .selectFrom('jobs as j')
    .leftJoin('auth.user as u', 'u.id', 'j.operator_id')
    .leftJoin('worker_keys as k', 'k.id', 'j.worker_key_id')
    .selectAll('j')
    .select((row) => row.fn.coalesce('u.name', 'k.name').as('holder_name'))
    .$if(status !== undefined, (jobs) => jobs.where('j.status', 'in', status ?? []))
    .$if(service_family !== undefined, (jobs) => jobs.where('j.service_family', '=', service_family ?? ''))
    .$if(account !== undefined, (jobs) => jobs.where('j.account_id', '=', account ?? null))
    .$if(from !== null, (jobs) => jobs.where(sql<boolean>`(j.created_at, j.id) > (${from?.at}, ${from?.id}::uuid)`))
    .orderBy('j.created_at')
    .orderBy('j.id')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(signer, scope, { at: last.created_at, id: last.id }),
  );
  const jobs = (page as Row[]).map((row) => ({
    ...showJobListItem(row),
    account_id: showId('acct', row.account_id),
    holder: showHolder(row),
    parked: isParked(row),
  }));
  return { status: 200, body: { jobs, next_cursor } };
}
