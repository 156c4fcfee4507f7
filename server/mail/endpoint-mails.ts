import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import { type MailKind, patience } from './letter.ts';

type Owner = { userId: string; data: { account_id: string; endpoint_id: string } };

const notice = { hours: patience, counted: false };
const endpointsButton = { path: customerPages.webhooks, button: 'Open the webhooks page' };

export const endpointFailing: MailKind<Owner> = {
  ...notice,
  async compose(db, about) {
    const endpoint = await findEndpoint(db, about);
    if (!endpoint?.failing) return null;
    return {
      to: endpoint.email,
      subject: 'A webhook endpoint is failing',
      body: [
        'For a day every delivery to this webhook endpoint has failed:',
        endpoint.url,
        'The list of its deliveries shows each response. Deliveries are repeated; after five days without a success the endpoint is disabled.',
        endpointsButton,
      ],
      of: 'webhook',
    };
  },
};

export const endpointDisabled: MailKind<Owner> = {
  ...notice,
  async compose(db, about) {
    const endpoint = await findEndpoint(db, about);
    if (!endpoint?.given_up) return null;
    return {
      to: endpoint.email,
      subject: 'A webhook endpoint was disabled',
      body: [
        'For five days no event could be delivered to this webhook endpoint, so it was disabled:',
        endpoint.url,
        'Nothing is lost: when you enable it again, delivery continues where it stopped.',
        endpointsButton,
      ],
      of: 'webhook',
    };
  },
};

type Endpoint = { url: string; email: string; failing: boolean; given_up: boolean };

/** Undefined unless the person still owns the endpoint's account. */
async function findEndpoint(db: Db, { userId, data: { account_id, endpoint_id } }: Owner) {
  const { rows } = await sql<Endpoint>`
    select e.url, u.email, e.disabled_reason is null and e.failing_since is not null as failing,
      e.disabled_reason is not distinct from 'failing' as given_up
    from webhook_endpoints e
    join members m on m.account_id = e.account_id and m.user_id = ${userId} and m.role = 'owner'
    join people u on u.id = m.user_id
    where e.account_id = ${account_id} and e.id = ${endpoint_id}`.execute(db);
  return rows[0];
}
