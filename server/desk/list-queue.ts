import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { parkedAfter } from '../../contract/moves.ts';
import type { listQueue as endpoint } from '../../contract/queue.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { creatorName, hasPlan, type JobRow, type ListedJob, showJobListItem } from '../jobs/job.ts';
import { containing } from '../db/containing.ts';
import { readId, showId } from '../lib/id.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { isOverdue, isParked, showHolder } from './desk-job.ts';

type Row = JobRow & ListedJob & { account_name: string; holder_name: string | null; overdue: boolean; position: Date };

/** What a page is ordered by, and whether its order falls. */
const orders = {
  oldest: { by: sql<Date>`j.created_at`, direction: 'asc', beyond: sql`>` },
  newest: { by: sql<Date>`j.created_at`, direction: 'desc', beyond: sql`<` },
  due: { by: sql<Date>`coalesce(j.due_at, j.created_at)`, direction: 'asc', beyond: sql`>` },
} as const;

const parked = sql<boolean>`(j.status = 'queued' and j.lease_expiries >= ${parkedAfter})`;

/** Jobs of all accounts, a page at a time. An account or a holder that names nothing finds nothing. */
export async function listQueue(
  { db, graceHours, signer }: Pick<Context, 'db' | 'graceHours' | 'signer'>,
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { cursor, limit = 25, sort = 'oldest', status, q = '', ...filters } = query;
  // `me` is another list for each operator.
  const scope = ['listQueue', caller.userId, sort, status?.toSorted(), q, Object.entries(filters).toSorted()];
  const from = readCursor(signer, scope, cursor);
  const { by, direction, beyond } = orders[sort];

  const rows = await db
    .selectFrom('jobs as j')
    .innerJoin('auth.account as a', 'a.id', 'j.account_id')
    .leftJoin('auth.user as u', 'u.id', 'j.operator_id')
    .leftJoin('worker_keys as k', 'k.id', 'j.worker_key_id')
    .selectAll('j')
    .select((row) => [
      'a.name as account_name',
      row.fn.coalesce('u.name', 'k.name').as('holder_name'),
      isOverdue.as('overdue'),
      by.as('position'),
      creatorName.as('creator_name'),
      hasPlan(graceHours).as('has_plan'),
    ])
    .$if(status !== undefined, (jobs) => jobs.where('j.status', 'in', status ?? []))
    .$if(filters.service_family !== undefined, (jobs) =>
      jobs.where('j.service_family', '=', filters.service_family ?? ''),
    )
    .$if(filters.account_id !== undefined, (jobs) =>
      jobs.where('j.account_id', '=', readId('acct', filters.account_id ?? '')),
    )
    .$if(filters.holder !== undefined, (jobs) => jobs.where(heldBy(filters.holder ?? '', caller.userId)))
    .$if(filters.parked !== undefined, (jobs) => jobs.where(parked, '=', filters.parked ?? false))
    .$if(filters.overdue !== undefined, (jobs) => jobs.where(isOverdue, '=', filters.overdue ?? false))
    .$if(q !== '', (jobs) => jobs.where(matches(q)))
    .$if(from !== null, (jobs) => jobs.where(sql<boolean>`(${by}, j.id) ${beyond} (${from?.at}, ${from?.id}::uuid)`))
    .orderBy(by, direction)
    .orderBy('j.id', direction)
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(rows as Row[], limit, (last) =>
    writeCursor(signer, scope, { at: last.position, id: last.id }),
  );
  const jobs = page.map((row) => ({
    ...showJobListItem(row),
    account: { id: showId('acct', row.account_id), name: row.account_name },
    holder: showHolder(row),
    parked: isParked(row),
    overdue: row.overdue,
  }));
  return { status: 200, body: { jobs, next_cursor } };
}

function heldBy(holder: string, me: string) {
  if (holder === 'none') return sql<boolean>`j.held_since is null`;
  const operator = holder === 'me' ? me : readId('user', holder);
  return sql<boolean>`(j.held_since is not null
    and (j.operator_id = ${operator} or j.worker_key_id = ${readId('wkey', holder)}))`;
}

const matches = (q: string) => sql<boolean>`(j.customer_title ilike ${containing(q)} or a.name ilike ${containing(q)}
  or j.id = ${readId('job', q.trim())})`;
