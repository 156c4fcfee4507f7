import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { IntentBrief } from '../../contract/jobs/brief.ts';
import type { Draft as SentDraft } from '../../contract/jobs/new-job.ts';
import { studioNames, valuesOf } from '../../contract/jobs/optional-fields.ts';
import type { Order, OrderListItem, OrderStatus } from '../../contract/ordering/orders.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { type Draft, takesBrand } from '../intake/draft.ts';
import type { Candidate } from '../jobs/candidate.ts';
import { type FileRow, showFile } from '../jobs/job-file.ts';
import { readId, showId, withCreatorId } from '../lib/id.ts';
import { type Created, creatorColumns, showCreator } from '../members/creator.ts';

export type OrderRow = Created & {
  account_id: string;
  id: string;
  session_id: string;
  status: OrderStatus;
  source: Candidate['source'];
  body: SentDraft | null;
  route: string;
  key: string | null;
  fingerprint: string;
  created_at: Date;
  lapses_at: Date;
  decided_by: string | null;
  decider_name: string | null;
  decided_at: Date | null;
  version: number | null;
  words: string | null;
  job_id: string | null;
  draft: Draft;
  brief: IntentBrief | null;
  ready: boolean;
};

/** Of an order `o` and its draft `s`: what has become of it, by the clock of the database. */
export const statusOfOrder = sql<OrderStatus>`case
  when o.status <> 'waiting' then o.status
  when s.status in ('confirmed', 'closed') then 'ended'
  when least(o.lapses_at, s.expires_at) <= now() then 'lapsed'
  else 'waiting' end`;

/** The orders of one account for which `which` holds of the order `o` and its draft `s`. */
export async function ordersWhere(
  db: Db | Trx,
  accountId: string,
  which: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select o.account_id, o.id, o.session_id, ${statusOfOrder} as status, o.source, o.body, o.route, o.key, o.fingerprint,
      o.created_by_user, o.created_by_key, ${creatorColumns('o')}, o.created_at, o.lapses_at, o.decided_by,
      (select u.name from people u where u.id = o.decided_by) as decider_name, o.decided_at, o.version, o.words, o.job_id,
      s.draft, s.brief, s.status <> 'open' as ready
    from orders o join intake_sessions s on s.account_id = ${accountId} and s.id = o.session_id
    where o.account_id = ${accountId} and ${which} ${rest}`.execute(db);
  return rows;
}

export async function ownedOrder(db: Db | Trx, accountId: string, id: string): Promise<OrderRow> {
  const [order] = await ordersWhere(db, accountId, sql`o.id = ${readId('ord', id)}`);
  if (!order) throw new Refusal('order_not_found');
  return order;
}

export function showListedOrder(order: OrderRow): Static<typeof OrderListItem> {
  const { brief, draft, decided_by, decider_name } = order;
  const described = brief ?? { ...draft, customer_title: draft.title ?? '' };
  return {
    id: showId('ord', order.id),
    status: order.status,
    service_family: described.service_family,
    service_type: described.service_type,
    customer_title: described.customer_title,
    ...valuesOf(studioNames, draft),
    version: order.version ?? draft.version,
    ready: order.ready,
    intake_session_id: showId('ise', order.session_id),
    job_id: order.job_id && showId('job', order.job_id),
    created_by: showCreator(order),
    created_at: order.created_at.toISOString(),
    lapses_at: order.lapses_at.toISOString(),
    decided_by:
      decided_by === null ? null : withCreatorId({ kind: 'user' as const, id: decided_by, name: decider_name ?? '' }),
    decided_at: order.decided_at?.toISOString() ?? null,
    words: order.words,
  };
}

export async function showOrder(db: Db | Trx, order: OrderRow): Promise<Static<typeof Order>> {
  const { account_id, draft, brief } = order;
  const ids = draft.files.map(({ id }) => readId('file', id));
  const { rows } = await sql<FileRow>`
    select * from files where account_id = ${account_id} and id = any(${ids}::uuid[]) order by id`.execute(db);
  return {
    ...showListedOrder(order),
    customer_instructions: brief?.customer_instructions ?? draft.words,
    answers: brief?.answers ?? [],
    files: rows.map(showFile),
    brand_kit: takesBrand(draft),
  };
}
