import { sql } from 'kysely';
import { type listProviderEvents as endpoint, settledReasons } from '../../contract/desk/provider-events.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import { keptEvents, showEvent } from './kept-event.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';
import { monthsFrom } from './payment.ts';
import type { Provider } from './provider.ts';

/** In the words of the partial index, which parameters would not match. */
export const needsLook = sql`e.outcome = 'ignored'
  and e.reason not in (${sql.raw(settledReasons.map((reason) => `'${reason}'`).join(', '))})`;

export async function listProviderEvents(
  { db, provider, signer }: { db: Db; provider: Provider; signer: Signer },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { outcome, needs_look, account_id, month, limit = 25 } = query;
  const scope = ['listProviderEvents', outcome, needs_look, account_id, month];
  const from = readCursor(signer, scope, query.cursor);
  const chosen = sql`${outcome === undefined ? sql`true` : sql`e.outcome = ${outcome}`}
    and ${needs_look === undefined ? sql`true` : needs_look ? needsLook : sql`(${needsLook}) is not true`}
    and ${account_id === undefined ? sql`true` : sql`e.account_id = ${readId('acct', account_id)}`}
    and ${month === undefined ? sql`true` : sql`e.received_at >= ${monthsFrom(month, 0)} and e.received_at < ${monthsFrom(month, 1)}`}
    and ${from === null ? sql`true` : sql`(e.received_at, e.id) < (${from.at}, ${from.id})`}`;
  const { page, next_cursor } = cutPage(signer, scope, await keptEvents(db, chosen, limit + 1), limit, (last) => ({
    at: last.received_at,
    id: last.id,
  }));
  return { status: 200, body: { provider_events: page.map((row) => showEvent(provider, row)), next_cursor } };
}
