import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { customerPages } from '../../contract/pages.ts';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { byService } from '../http/cause.ts';
import type { Email, Mail } from '../lib/mail.ts';
import { disableEndpoint } from './disable-endpoint.ts';

type Failing = { account_id: string; id: string; url: string; give_up: boolean; owners: string[] };

/**
 * Endpoints that fail: after a day the owners are told, after five days without a success it is disabled and they are told
 * again. Its cursor stands, so nothing is lost. Whether it still fails is asked again under the lock of its row.
 */
export async function checkFailingEndpoints(
  { db, log, mail, publicUrl }: { db: Db; log: FastifyBaseLogger; mail: Mail; publicUrl: string },
  stopped: AbortSignal,
): Promise<void> {
  for (const endpoint of await failingEndpoints(db)) {
    if (stopped.aborted) return;
    const changed = endpoint.give_up ? await giveUp(db, endpoint) : await noteWarning(db, endpoint);
    if (changed) await tell(mail, log, endpoint, publicUrl);
  }
}

async function failingEndpoints(db: Db): Promise<Failing[]> {
  const { rows } = await sql<Failing>`
    select e.account_id, e.id, e.url,
      coalesce(e.last_success_at, e.created_at) <= now() - interval '5 days' as give_up,
      array(select u.email from auth.member m join auth.user u on u.id = m.user_id
        where m.account_id = e.account_id and m.role = 'owner' order by u.email) as owners
    from webhook_endpoints e
    where e.disabled_reason is null and e.failing_since <= now() - interval '1 day'
      and (e.warned_at is null or coalesce(e.last_success_at, e.created_at) <= now() - interval '5 days')
    limit 1000`.execute(db);
  return rows;
}

const giveUp = (db: Db, endpoint: Failing): Promise<boolean> =>
  transact(db, async (trx) => {
    const { rows } = await sql`
      select from webhook_endpoints where account_id = ${endpoint.account_id} and id = ${endpoint.id}
        and failing_since <= now() - interval '1 day' for update`.execute(trx);
    return rows.length > 0 && (await disableEndpoint(trx, endpoint, 'failing', byService()));
  });

async function noteWarning(db: Db, { account_id, id }: Failing): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set warned_at = now()
    where account_id = ${account_id} and id = ${id} and warned_at is null and failing_since is not null
    returning id`.execute(db);
  return rows.length > 0;
}

/** A mail that fails is told in the log; the state of the endpoint is there to be read. */
async function tell(mail: Mail, log: FastifyBaseLogger, endpoint: Failing, publicUrl: string): Promise<void> {
  for (const to of endpoint.owners)
    await mail.send(failingEmail(to, endpoint, publicUrl)).catch((error: unknown) => {
      log.warn({ err: error }, 'an owner was not told of a failing webhook endpoint');
    });
}

const failingEmail = (to: string, { url, give_up }: Failing, publicUrl: string): Email => ({
  to,
  subject: give_up ? 'A webhook endpoint was disabled' : 'A webhook endpoint is failing',
  text: give_up
    ? `For five days no event could be delivered to this webhook endpoint, so it was disabled:

${url}

Nothing is lost: once you enable it again, it goes on where it stopped.

${publicUrl}${customerPages.webhooks}
`
    : `For a day every delivery to this webhook endpoint has failed:

${url}

Its deliveries tell what came back. They are tried again; after five days without a success the endpoint is disabled.

${publicUrl}${customerPages.webhooks}
`,
});
