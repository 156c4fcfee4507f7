import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createJob, createStudio, setPlan, type Studio, tryMove } from '../support/jobs.ts';
import { createReceiver, type Received, type Receiver } from '../support/receiver.ts';
import { environment, type Got } from '../support/harness.ts';

/** Deliveries while their receiver fails and their sender is killed. `FAULTS=long`: as many as the figure asks for. */
const { jobs, kills } = process.env.FAULTS === 'long' ? { jobs: 2_500, kills: 20 } : { jobs: 60, kills: 4 };

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let studio: Studio;
beforeAll(async () => {
  studio = await createStudio({ WEBHOOK_ALLOW: '127.0.0.1' });
  await setPlan(studio.service, studio.ada, 'studio', { quota: 100_000, concurrency_limit: 100_000 });
});
afterAll(() => studio.service.close());

const root = resolve(import.meta.dirname, '../..');

/** A program of its own on the database of the test. */
async function start(program: string): Promise<ChildProcess> {
  const { PATH } = process.env;
  const { databaseUrl } = studio.service;
  const env = { PATH, ...environment, WEBHOOK_ALLOW: '127.0.0.1', DATABASE_URL: databaseUrl, DATABASE_POOL: '4' };
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['pipe', 'inherit', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Kills the sender so often, each time after a moment of sending, and leaves one that runs. */
async function killAgainAndAgain(program: string, receiver: Receiver): Promise<ChildProcess> {
  let child = await start(program);
  for (let n = 0; n < kills; n++) {
    const before = receiver.received.length;
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), { timeout: 90_000 });
    await wait(Math.random() * 400);
    await kill(child);
    child = await start(program);
  }
  return child;
}

/** Jobs that are created, accepted, started and rejected: four events each. */
async function makeEvents(count: number): Promise<void> {
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const id = await untilTaken(201, () => createJob(studio.service, studio.key)).then(({ body }) => body.job.id);
      for (const move of ['accept', 'start', 'reject'] as const) await untilTaken(200, () => tryMove(studio, id, move));
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
}

/** A machine that is busy with all this says 503 now and then; nothing has happened then. */
async function untilTaken(status: number, ask: () => Promise<Got>): Promise<Got> {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    expect(answer.status).toBe(503);
    await wait(200);
  }
}

/** The time until the next attempt passes; what is under way, or was with a killed process, stays so for its 30 seconds. */
const passTime = () =>
  sql`update webhook_deliveries d set due_at = now() where done_at is null and due_at > now() and exists (
    select from webhook_attempts a where a.account_id = d.account_id and a.delivery_id = d.id and a.attempt = d.attempts)`.execute(
    studio.service.context.db,
  );

/** An endpoint at the receiver, until the test ends. */
async function addEndpoint(url: string): Promise<void> {
  const { service, ada } = studio;
  const { body } = await service.call('POST', '/api/v1/webhook-endpoints', { as: ada.token, body: { url } });
  const path = `/api/v1/webhook-endpoints/${body.webhook_endpoint.id}`;
  onTestFinished(async () => void (await service.call('DELETE', path, { as: ada.token })));
}

const latest = async () => (await studio.service.call('GET', '/api/v1/events?limit=1', { as: studio.key })).body.latest;

type Row = { seq: number; id: string; job_id: string; attempts: number };

/** Events after this one, with how often each was sent. */
async function deliveriesAfter(seq: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select d.seq::int, d.event_id as id, d.job_id, d.attempts from webhook_deliveries d
    where d.seq > ${seq} order by d.seq`.execute(studio.service.context.db);
  return rows;
}

test(`${jobs * 4} events, a third fails, ${kills} × kill -9: none is lost, one id each, in order per job`, async () => {
  const receiver = await createReceiver();
  const taken: Received[] = [];
  receiver.answer((one, response) => {
    if (Math.random() < 0.3) return response.writeHead(503).end();
    taken.push(one);
    return response.writeHead(204).end();
  });
  const before = await latest();
  await addEndpoint(receiver.url);
  const ticking = setInterval(() => void passTime().catch(() => {}), 500);
  onTestFinished(() => clearInterval(ticking));
  const [child] = await Promise.all([
    killAgainAndAgain('test/support/delivering-process.ts', receiver),
    makeEvents(jobs),
  ]);
  const last = await latest();
  const seqs = () => new Set(taken.map(({ event }) => event.seq));
  await vi.waitFor(() => expect(seqs().size).toBe(last - before), { timeout: 240_000, interval: 500 });

  const rows = await deliveriesAfter(before);
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: last - before }, (_, n) => before + n + 1));
  expect(new Set(taken.map(({ event, headers }) => `${event.seq} ${String(headers['webhook-id'])}`)).size).toBe(
    last - before,
  );

  const attempts = new Map(rows.map((row) => [row.seq, row.attempts]));
  const newest = new Map<string, number>();
  const overtaken: number[] = [];
  for (const { event } of taken) {
    const job = event.job.id as string;
    if (event.seq < (newest.get(job) ?? 0)) overtaken.push(event.seq);
    else newest.set(job, event.seq);
  }
  // A repeat of what was taken before, or one that had its five attempts.
  const first = new Set<number>();
  const repeats = taken.filter(({ event }) => first.size === first.add(event.seq).size).length;
  const early = overtaken.filter((seq) => (attempts.get(seq) ?? 0) <= 5 && isFirst(taken, seq));
  expect(early).toEqual([]);
  process.stdout.write(
    `F8: ${last - before} events, ${kills} kills, ${receiver.received.length} requests, ${repeats} repeats, 0 lost\n`,
  );
  await kill(child);
  await receiver.close();
});

/** Whether this event came late the first time it was taken, and not only again. */
function isFirst(taken: readonly Received[], seq: number): boolean {
  const at = taken.findIndex(({ event }) => event.seq === seq);
  const job = taken[at]?.event.job.id;
  return taken.slice(0, at).some(({ event }) => event.job.id === job && event.seq > seq);
}

test('the control: a sender that writes the result first loses events', async () => {
  const receiver = await createReceiver();
  const before = await latest();
  await addEndpoint(receiver.url);
  const queued = await start('test/support/delivering-process.ts'); // makes the deliveries
  receiver.answer((_, response) => void setTimeout(() => response.writeHead(204).end(), 5));
  await makeEvents(Math.min(jobs, 200));
  const last = await latest();
  await vi.waitFor(async () => expect(await deliveriesAfter(before)).toHaveLength(last - before), { timeout: 90_000 });
  await kill(queued);
  await sql`update webhook_deliveries set done_at = null, outcome = null, attempts = 0, due_at = now()
    where seq > ${before}`.execute(studio.service.context.db);
  receiver.received.length = 0;
  const child = await killAgainAndAgain('test/faults/careless-sender.ts', receiver);
  await vi.waitFor(
    async () => {
      const { rows } = await sql`select from webhook_deliveries where done_at is null`.execute(
        studio.service.context.db,
      );
      expect(rows).toEqual([]);
    },
    { timeout: 60_000 },
  );
  await wait(1_000);
  await kill(child);
  const came = new Set(receiver.received.map(({ event }) => event.id)).size;
  process.stdout.write(`F8 control: ${last - before - came} of ${last - before} events lost\n`);
  expect(came).toBeLessThan(last - before);
  await receiver.close();
});
