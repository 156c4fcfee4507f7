import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEncryption } from '../../server/lib/encryption.ts';
import { secretPurpose } from '../../server/webhooks/webhook-secret.ts';
import { createAccounts } from '../create-accounts.ts';
import { createWorkers } from '../create-workers.ts';
import { type Row, toRow } from '../figure.ts';
import { insertJobs, jobPaths } from '../insert-jobs.ts';
import { openStreams } from '../open-streams.ts';
import { type Service, startProcess, withService } from '../start-service.ts';

/** Messages a second in each direction, and for how long. A worker key holds at most ten jobs. */
const [perSecond, seconds, jobs, workers] = [20, 15, 200, 20];

const secretKey = randomBytes(32).toString('hex');
const settings = { SECRET_KEY: secretKey, WEBHOOK_ALLOW: '127.0.0.1' };

/** B18: from a message to the streams of both sides in another process, and to a webhook. */
export const messageLatency = (): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, jobs);
    await insertJobs(service, 0, jobs - 1, 1);
    const threads = (await jobPaths(service, accounts)).map((job) => ({ ...job, path: `${job.path}/messages` }));
    const tokens = await createWorkers(service, workers);
    const leases = await claimAll(service, tokens);
    const [hooks, desk, customers] = [[] as number[], [] as number[], [] as number[]];
    const receiver = await receive(hooks);
    await addEndpoints(service, receiver.url);
    const other = await startProcess(service.folder, { DATABASE_URL: service.databaseUrl, ...settings });
    const sockets = await openStreams(other.origin, accounts, (text) => customers.push(...agesOf(text)));
    const sent = new Map<string, number>();
    sockets.push(await openQueue(other.origin, tokens[0] ?? '', (text) => desk.push(...changesOf(text, sent))));
    await sleep(3_000);
    [hooks, desk, customers].forEach((list) => list.splice(0));
    for (let n = 0; n < perSecond * seconds; n++) {
      const [thread, lease] = [threads[n % jobs], leases[n % leases.length]];
      if (!thread || !lease) throw new Error('There are too few jobs.');
      sent.set(/job_\w+/.exec(thread.path)?.[0] ?? '', Date.now());
      void say(service, thread.path, thread.token ?? '', {});
      void say(service, `/api/operator/v1/jobs/${lease.id}/messages`, lease.worker, { lease_token: lease.token });
      await sleep(1_000 / perSecond);
    }
    await sleep(5_000);
    sockets.forEach((socket) => socket.destroy());
    await other.stop();
    receiver.close();
    const row = (figure: string, title: string, times: number[], least: number) => {
      if (times.length < least) throw new Error(`${figure}: of ${least} messages ${times.length} came.`);
      const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
      return toRow({ figure, title, of: 'at most', goal: 1, unit: 'ms', lessIsBetter: true }, [
        { ours: Math.max(p99, 1), limit: 1_000 },
      ]);
    };
    const count = perSecond * seconds;
    return [
      row('B18', 'a message of either side to the streams of the account, p99', customers, count * 2 * 5),
      row('B18 desk', 'a message of the customer to the stream of the desk, p99', desk, count),
      row('B18 webhook', 'any message to a webhook, p99', hooks, count * 2),
    ];
  }, settings);

type Lease = { id: string; token: string; worker: string };

async function claimAll({ origin }: Service, tokens: string[]): Promise<Lease[]> {
  const leases: Lease[] = [];
  for (const worker of tokens)
    for (let n = 0; n < jobs / workers; n++) {
      const answer = await fetch(`${origin}/api/operator/v1/jobs/claim`, {
        method: 'POST',
        headers: { authorization: `Bearer ${worker}`, 'content-type': 'application/json' },
        body: JSON.stringify({ lease_seconds: 600 }),
      });
      const { job, lease } = (await answer.json()) as { job: { id: string }; lease: { token: string } };
      leases.push({ id: job.id, token: lease.token, worker });
    }
  return leases;
}

async function say({ origin }: Service, path: string, token: string, more: object): Promise<void> {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'A little greener, please.', ...more }),
  });
  if (answer.status !== 201) throw new Error(`A message was answered ${answer.status}: ${await answer.text()}`);
}

/** The ages in milliseconds of the messages in some text of a stream or webhook. */
const agesOf = (text: string): number[] =>
  [...text.matchAll(/"type":"job.message_added","created_at":"([^"]+)"/g)].map(
    ([, created]) => Date.now() - Date.parse(created ?? ''),
  );

/** How long ago a message was sent about each job that the queue's stream names. */
function changesOf(text: string, sent: Map<string, number>): number[] {
  return [...text.matchAll(/job_\w+/g)].flatMap(([id]) => {
    const at = sent.get(id);
    sent.delete(id);
    return at === undefined ? [] : [Date.now() - at];
  });
}

async function openQueue(origin: string, token: string, onText: (text: string) => void): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = createConnection({ host: hostname, port: Number(port) }).setEncoding('utf8');
  socket.write(`GET /api/operator/v1/queue/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await once(socket, 'data');
  return socket.on('data', onText);
}

/** A receiver that answers at once. */
async function receive(ages: number[]): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      ages.push(...agesOf(text));
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, close: () => void (server.closeAllConnections(), server.close()) };
}

/** An endpoint per account, for what comes from now on. */
async function addEndpoints({ database }: Service, url: string): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await database.query(
    `with endpoint as (
       insert into webhook_endpoints (account_id, id, url, cursor, created_by)
       select a.account_id, uuidv7(), $1, c.last_event, a.user_id
       from bench_accounts a join account_counters c on c.account_id = a.account_id returning account_id, id
     )
     insert into webhook_secrets (account_id, endpoint_id, ciphertext) select account_id, id, $2 from endpoint`,
    [url, createEncryption([secretKey]).encrypt(secretPurpose, secret)],
  );
}
