import { sql } from 'kysely';
import type { listProviderEvents as endpoint } from '../../contract/billing.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import { keptEvents, showEvent } from './kept-event.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

export async function listProviderEvents(
  { db, signer }: { db: Db; signer: Signer },
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { outcome, account_id, limit = 25 } = query;
  const scope = ['listProviderEvents', outcome, account_id];
  const from = readCursor(signer, scope, query.cursor);
  const chosen = sql`${outcome === undefined ? sql`true` : sql`e.outcome = ${outcome}`}
    and ${account_id === undefined ? sql`true` : sql`e.account_id = ${readId('acct', account_id)}`}
    and ${from === null ? sql`true` : sql`(e.received_at, e.id) < (${from.at}, ${from.id})`}`;
  const { page, next_cursor } = cutPage(await keptEvents(db, chosen, limit + 1), limit, (last) =>
    writeCursor(signer, scope, { at: last.received_at, id: last.id }),
  );
  return { status: 200, body: { provider_events: page.map(showEvent), next_cursor } };
}
