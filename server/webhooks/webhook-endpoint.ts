import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { AccountEventType } from '../../contract/jobs/events.ts';
import type { disabledReasons, WebhookEndpoint } from '../../contract/developer/webhooks.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { readId, showId } from '../lib/id.ts';
import type { ReceiverRules } from './receiver-address.ts';

export type DisabledReason = (typeof disabledReasons)[number];

export type EndpointRow = {
  account_id: string;
  id: string;
  url: string;
  description: string | null;
  types: AccountEventType[] | null;
  disabled_reason: DisabledReason | null;
  cursor: string;
  created_by: string;
  creator_name: string;
  created_at: Date;
  last_success_at: Date | null;
  failing_since: Date | null;
};

export const showEndpoint = (row: EndpointRow): Static<typeof WebhookEndpoint> => ({
  id: showId('hook', row.id),
  url: row.url,
  description: row.description,
  types: row.types,
  enabled: row.disabled_reason === null,
  disabled_reason: row.disabled_reason,
  cursor: Number(row.cursor),
  created_by: { kind: 'user', id: showId('user', row.created_by), name: row.creator_name },
  created_at: row.created_at.toISOString(),
  last_success_at: row.last_success_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
});

/** An endpoint `e` with the name of the person who created it. */
export const endpointColumns = sql`e.*, (select u.name from people u where u.id = e.created_by) as creator_name`;

/** The account's endpoint, or 404. In a transaction it is locked until the end. */
export async function ownedEndpoint(db: Db | Trx, accountId: string, id: string): Promise<EndpointRow> {
  const uuid = readId('hook', id);
  const { rows } = await sql<EndpointRow>`
    select ${endpointColumns} from webhook_endpoints e where e.account_id = ${accountId} and e.id = ${uuid}
    ${db.isTransaction ? sql`for update` : sql``}`.execute(db);
  if (!rows[0]) throw new Refusal('webhook_endpoint_not_found');
  return rows[0];
}

/** The URL as stored: normalized by the parser. */
export function acceptUrl(receivers: ReceiverRules, url: string): string {
  const fault = /\p{Cc}/u.test(url) ? 'must not hold control characters' : receivers.fault(url);
  if (fault === null) return new URL(url).href;
  throw new Refusal('webhook_url_refused', {
    message: `The URL ${fault}.`,
    details: [{ location: '/url', message: fault }],
  });
}
