import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { reviewEvent } from '../../contract/desk/provider-events.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import { epochMilliseconds, isoTime } from '../db/time.ts';
import { showId } from '../lib/id.ts';
import type { ProviderEvents } from '../tables.ts';
import { providerPage } from './provider-page.ts';
import type { Provider } from './provider.ts';

type Shown = AnswerOf<typeof reviewEvent>['body']['provider_event'];
type Review = { by: string; name: string; at: number; outcome: Shown['outcome']; reason: string | null };
type Row = Omit<Selectable<ProviderEvents>, 'outcome' | 'payload' | 'receipt' | 'plan_code'> &
  Pick<Shown, 'outcome' | 'payload' | 'account_name'> & { reviews: Review[] };

/** Stored events of the provider, newest receipt first. `chosen` refers to them as `e`. */
export async function keptEvents(db: Db, chosen: RawBuilder<unknown>, atMost: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select e.id, e.type, e.outcome, e.reason, e.account_id,
      (select a.name from accounts a where a.id = e.account_id) as account_name, e.subscription, e.customer, e.livemode, e.payload,
      e.created_at, e.received_at, coalesce((
      select json_agg(json_build_object('by', r.reviewed_by,
        'name', (select u.name from people u where u.id = r.reviewed_by), 'outcome', r.outcome, 'reason', r.reason,
        'at', ${epochMilliseconds(sql`r.reviewed_at`)}) order by r.id)
      from provider_event_reviews r where r.event_id = e.id), '[]') as reviews
    from provider_events e where ${chosen}
    order by e.received_at desc, e.id desc limit ${atMost}`.execute(db);
  return rows;
}

export const showEvent = (
  provider: Provider,
  { account_id, created_at, received_at, reviews, ...event }: Row,
): Shown => ({
  ...event,
  account_id: account_id === null ? null : showId('acct', account_id),
  reviews: reviews.map(({ by, name, at, outcome, reason }) => ({
    reviewed_by: { kind: 'user', id: showId('user', by), name },
    reviewed_at: isoTime(at),
    outcome,
    reason,
  })),
  page: providerPage(provider, 'events', event.id),
  created_at: isoTime(created_at),
  received_at: isoTime(received_at),
});
