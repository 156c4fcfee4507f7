import { type Selectable, sql } from 'kysely';
import type { listProviderEvents as line } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Ask } from '../accounts/ask.ts';
import type { Db } from '../kit/db.ts';
import { showId } from '../kit/id.ts';
import { cutPage, readCursor, writeCursor } from '../kit/page.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Seal } from '../kit/seal.ts';
import type { ProviderEvents } from '../tables.ts';

type Row = Omit<Selectable<ProviderEvents>, 'payload'> & { outcome: 'processed' | 'ignored' };

/** What the payment provider sent and what became of it, newest receipt first. */
export async function listProviderEvents(
  db: Db,
  seal: Seal,
  { query }: Ask<typeof line>,
): Promise<AnswerOf<typeof line>> {
  const { outcome, limit = 25 } = query;
  const scope = ['listProviderEvents', outcome];
  const from = readCursor(seal, scope, query.cursor);
  if (from instanceof Refusal) throw from;
  const { rows } = await sql<Row>`
    select id, type, outcome, reason, account_id, subscription, customer, livemode, created_at, received_at
    from provider_events
    where ${outcome === undefined ? sql`true` : sql`outcome = ${outcome}`}
      and ${from === null ? sql`true` : sql`(received_at, id) < (${from.at}, ${from.id})`}
    order by received_at desc, id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(seal, scope, { at: last.received_at, id: last.id }),
  );
  const provider_events = page.map(({ account_id, created_at, received_at, ...event }) => ({
    ...event,
    account_id: account_id === null ? null : showId('acct', account_id),
    created_at: created_at.toISOString(),
    received_at: received_at.toISOString(),
  }));
  return { status: 200, body: { provider_events, next_cursor } };
}
