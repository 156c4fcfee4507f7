import { sql } from 'kysely';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import { notify } from '../notifications/notify.ts';
import { disableEndpoint } from './disable-endpoint.ts';

type Failing = { account_id: string; id: string; give_up: boolean };

/** A mail after a day of failures, disabled after five days. Keeps the cursor, so nothing is lost. */
export async function checkFailingEndpoints(db: Db, stopped: AbortSignal): Promise<void> {
  for (const endpoint of await failingEndpoints(db)) {
    if (stopped.aborted) return;
    await (endpoint.give_up ? giveUp(db, endpoint) : warn(db, endpoint));
  }
}

async function failingEndpoints(db: Db): Promise<Failing[]> {
  const { rows } = await sql<Failing>`
    select e.account_id, e.id, coalesce(e.last_success_at, e.created_at) <= now() - interval '5 days' as give_up
    from webhook_endpoints e
    where e.disabled_reason is null and e.failing_since <= now() - interval '1 day'
      and (e.warned_at is null or coalesce(e.last_success_at, e.created_at) <= now() - interval '5 days')
    limit 1000`.execute(db);
  return rows;
}

const giveUp = (db: Db, endpoint: Failing): Promise<void> =>
  transact(db, async (trx) => {
    const { rows } = await sql`
      select from webhook_endpoints where account_id = ${endpoint.account_id} and id = ${endpoint.id}
        and failing_since <= now() - interval '1 day' for update`.execute(trx);
    if (rows.length > 0 && (await disableEndpoint(trx, endpoint, 'failing', byService())))
      await tellOwners(trx, endpoint, 'endpoint_disabled');
  });

const warn = (db: Db, endpoint: Failing): Promise<void> =>
  transact(db, async (trx) => {
    const { rows } = await sql`
      update webhook_endpoints set warned_at = now()
      where account_id = ${endpoint.account_id} and id = ${endpoint.id} and warned_at is null
        and failing_since is not null
      returning id`.execute(trx);
    if (rows.length > 0) await tellOwners(trx, endpoint, 'endpoint_failing');
  });

async function tellOwners(
  trx: Trx,
  { account_id, id }: Failing,
  kind: 'endpoint_failing' | 'endpoint_disabled',
): Promise<void> {
  const { rows } = await sql<{ user_id: string; url: string; since: string }>`
    select m.user_id, e.url, e.failing_since::text as since
    from webhook_endpoints e join members m on m.account_id = e.account_id and m.role = 'owner'
    where e.account_id = ${account_id} and e.id = ${id}`.execute(trx);
  const [endpoint] = rows;
  if (!endpoint) return;
  const state = kind === 'endpoint_disabled' ? 'disabled' : 'failing';
  const cause = `${id} ${state} ${endpoint.since}`;
  const news = { kind: 'webhook', cause, accountId: account_id, state, about: endpoint.url } as const;
  const mailOf = (userId: string) => ({ kind, userId, data: { account_id, endpoint_id: id } });
  await notify(
    trx,
    rows.map(({ user_id }) => user_id),
    news,
    mailOf,
  );
}
