import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '../../server/billing/signature.ts';
import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../insert-jobs.ts';
import { measureLoad } from '../measure-load.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** B11: creates while leases expire, provider events arrive and old rows are deleted. */
export const createWhileBusy = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    await insertJobs(service, 0, 999, 20);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const create = () =>
      measureLoad(service, { method: 'POST', requests, body: draft, keyed: true, connections: 64, seconds });
    const busy = async () => {
      const stop = new AbortController();
      const others = Promise.all([runOutLeases, receiveEvents, deleteOld].map((work) => work(service, stop.signal)));
      const measured = await create();
      stop.abort();
      await others;
      return measured;
    };
    await create();
    const meaning = { figure: 'B11', title: 'create, with all that goes on', of: 'alone', goal: 0.9, unit: '/s' };
    const measured = await alternate(rounds, busy, async () => (await create()).ours);
    await refuseIfIdle(service);
    return [toRow(meaning, measured)];
  });

/** Expires a hundred leases per second. */
async function runOutLeases({ database }: Service, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await database.query(
      `update jobs j set status = 'running', held_since = now(), lease_token = gen_random_uuid(), lease_seconds = 5,
         worker_key_id = null, operator_id = b.user_id, lease_expires_at = now()
       from (select account_id, id from jobs where status = 'queued' and lease_expiries < 4 order by created_at limit 50 for update skip locked) q
       join bench_accounts b on b.account_id = q.account_id
       where j.account_id = q.account_id and j.id = q.id`,
    );
    await sleep(500);
  }
}

/** Sends twenty signed events per second, of a type that the service stores and ignores. */
async function receiveEvents({ origin, folder }: Service, stopped: AbortSignal): Promise<void> {
  const secret = (await readFile(join(folder, 'webhook-secret'), 'utf8')).trim();
  while (!stopped.aborted) {
    const event = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'invoice.paid', data: { object: {} } });
    const signature = sign(secret, Math.floor(Date.now() / 1_000), Buffer.from(event));
    const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
    const answer = await fetch(`${origin}/api/stripe/webhook`, { method: 'POST', body: event, headers });
    if (!answer.ok) throw new Error(`B11: the event was answered ${answer.status}.`);
    await sleep(50);
  }
}

/** Adds expired Idempotency-Keys, which the service's own task deletes. */
async function deleteOld({ database }: Service, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await database.query(
      `insert into idempotency_keys (account_id, route, key, fingerprint, status, answer, created_at)
       select account_id, 'bench', uuidv7()::text, '', 200, '{}', now() - interval '31 days' from bench_accounts`,
    );
    await database.query("update task_runs set due_at = now() where task = 'forgetIdempotencyKeys'");
    await sleep(200);
  }
}

/** Fails the bench if the background work did not happen. */
async function refuseIfIdle({ database }: Service): Promise<void> {
  const { rows } = await database.query<Record<'expired' | 'received' | 'kept', boolean>>(
    `select exists (select from jobs where lease_expiries > 0) as expired,
       exists (select from provider_events) as received,
       (select count(*) from idempotency_keys where route = 'bench') > 20 * (select count(*) from bench_accounts) as kept`,
  );
  const { expired, received, kept: remaining } = rows[0] ?? {};
  if (!expired || !received || remaining)
    throw new Error(`B11: leases ran out: ${expired}, events arrived: ${received}, old keys were left: ${remaining}.`);
}
