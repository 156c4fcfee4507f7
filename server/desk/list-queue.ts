import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { parkedAfter } from '../../contract/moves.ts';
import type { listQueue as endpoint } from '../../contract/queue.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { refuseUnknownFamily } from '../catalog/refuse-unknown-family.ts';
import type { Request } from '../http/request.ts';
import { type JobRow, type ListedJob, listedColumns, showJobListItem } from '../jobs/job.ts';
import { containing } from '../db/containing.ts';
import { readId, showId } from '../lib/id.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { isOverdue, isParked, showHolder } from './desk-job.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

type Row = ListedJob &
  Pick<JobRow, 'operator_id' | 'worker_key_id' | 'held_since' | 'lease_expires_at' | 'lease_expiries'> & {
    account_name: string;
    holder_name: string | null;
    overdue: boolean;
    position: Date;
  };

const orders = {
  oldest: { by: sql`j.created_at`, direction: sql`asc`, beyond: sql`>` },
  newest: { by: sql`j.created_at`, direction: sql`desc`, beyond: sql`<` },
  due: { by: sql`coalesce(j.due_at, j.created_at)`, direction: sql`asc`, beyond: sql`>` },
} as const;

const parked = sql<boolean>`(j.status = 'queued' and j.lease_expiries >= ${parkedAfter})`;

/** An unknown account or holder gives an empty list. */
export async function listQueue(
  { db, catalog, graceHours, signer }: { db: Db; catalog: Catalog; graceHours: number; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, query.service_family);
  const { cursor, limit = 25, sort = 'oldest', status, q = '', ...filters } = query;
  // `me` differs per operator.
  const scope = ['listQueue', caller.userId, sort, status?.toSorted(), q, Object.entries(filters).toSorted()];
  const from = readCursor(signer, scope, cursor);
  const { by, direction, beyond } = orders[sort];

  const conditions = [
    ...(status === undefined ? [] : [sql`j.status = any(${status}::text[])`]),
    ...(filters.service_family === undefined ? [] : [sql`j.service_family = ${filters.service_family}`]),
    ...(filters.account_id === undefined ? [] : [sql`j.account_id = ${readId('acct', filters.account_id)}`]),
    ...(filters.holder === undefined ? [] : [heldBy(filters.holder, caller.userId)]),
    ...(filters.parked === undefined ? [] : [sql`${parked} = ${filters.parked}`]),
    ...(filters.overdue === undefined ? [] : [sql`${isOverdue} = ${filters.overdue}`]),
    ...(q === '' ? [] : [matches(q)]),
    ...(from === null ? [] : [sql`(${by}, j.id) ${beyond} (${from.at}, ${from.id}::uuid)`]),
  ];

  const { rows } = await sql<Row>`
    select ${listedColumns(graceHours)}, j.operator_id, j.worker_key_id, j.held_since, j.lease_expires_at,
      j.lease_expiries, a.name as account_name, coalesce(u.name, k.name) as holder_name, ${isOverdue} as overdue,
      ${by} as position
    from jobs j
    join auth.account a on a.id = j.account_id
    left join auth.user u on u.id = j.operator_id
    left join worker_keys k on k.id = j.worker_key_id
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
    order by ${by} ${direction}, j.id ${direction}
    limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
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
