import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sign } from '../../server/billing/signature.ts';
import { createAccounts } from '../accounts.ts';
import { draft } from '../draft.ts';
import { alternate, type Row, toRow } from '../figure.ts';
import { insertJobs } from '../jobs.ts';
import { loaded } from '../loaded.ts';
import { type Service, withService } from '../service.ts';
import type { Settings } from '../settings.ts';

/** B11: creates, while leases run out, events of the provider arrive and what is old is deleted. */
export const meanwhile = ({ rounds, seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 1_000);
    await insertJobs(service, 0, 999, 20);
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    const create = () =>
      loaded(service, { method: 'POST', requests, body: draft, keyed: true, connections: 64, seconds });
    const busy = async () => {
      const stop = new AbortController();
      const others = Promise.all([runOutLeases, receiveEvents, deleteOld].map((work) => work(service, stop.signal)));
      const measured = await create();
      stop.abort();
      await others;
      return measured;
    };
    await create(); // warm
    const meaning = { figure: 'B11', title: 'create, with all that goes on', of: 'alone', goal: 0.9, unit: '/s' };
    return [toRow(meaning, await alternate(rounds, busy, async () => (await create()).ours))];
  });

/** A hundred leases a second run out; the service finds them every other second. */
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

/** Twenty a second, signed, of a type that the service keeps and ignores. */
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

/** Old Idempotency-Keys, in pieces of a thousand as the scheduled task deletes them. */
async function deleteOld({ database }: Service, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await database.query(
      `insert into idempotency_keys (account_id, route, key, fingerprint, status, answer, created_at)
       select account_id, 'bench', uuidv7()::text, '', 200, '{}', now() - interval '31 days' from bench_accounts`,
    );
    await database.query(
      `delete from idempotency_keys where (account_id, route, key) in (
         select account_id, route, key from idempotency_keys where created_at <= now() - interval '30 days'
         limit 1000 for update skip locked)`,
    );
    await sleep(200);
  }
}
