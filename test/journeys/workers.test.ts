import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScheduledTasks } from '../../server/scheduled-tasks.ts';
import type { Queue } from '../../server/db/queue.ts';
import { newJob, createStudio, readJob, type Studio } from '../support/jobs.ts';
import { bookFaults } from '../support/seed.ts';
import { makeWorker } from '../support/workers.ts';

/*
 * Real worker processes that are killed and frozen, two queues on one database, and nothing else to help.
 */
type Line = { verb: string; status: number; job: string; code?: string; token: string; expires_at?: string };
type Event = { type: string; actor: string; created_at: string };

let studio: Studio;
let queues: Queue[];
const processes: ChildProcess[] = [];
beforeAll(async () => {
  studio = await createStudio();
  queues = [1, 2].map(() => startScheduledTasks(studio.service.context, studio.service.databaseUrl));
});
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await Promise.all(queues.map((queue) => queue.stop()));
  await studio.service.close();
});

/** A worker process with what it has been answered so far. */
async function startWorker() {
  const env = {
    ...process.env,
    SERVICE_URL: studio.service.url,
    WORKER_KEY: await makeWorker(studio),
    WORK_MS: '2500',
  };
  const child = spawn(process.execPath, ['test/support/worker-process.ts'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const lines: Line[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  return { child, lines };
}
type Worker = Awaited<ReturnType<typeof startWorker>>;

const soon = { timeout: 45_000, interval: 100 };
const answered = async (worker: Worker, verb: string, from = 0) => {
  await expect.poll(() => worker.lines.slice(from).some((line) => line.verb === verb), soon).toBe(true);
};
const read = async (id: string) =>
  (await readJob(studio.service, studio.key, id)) as { job: { status: string }; events: Event[] };

test('workers that are killed, and frozen past their lease: no job is held by two, no late submit counts, every job comes back', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => newJob(studio.service, studio.key)));
  const [killed, frozen, spared] = await Promise.all([startWorker(), startWorker(), startWorker()]);
  const workers = [killed, frozen, spared];

  await Promise.all([answered(killed, 'start'), answered(frozen, 'heartbeat')]);
  killed.child.kill('SIGKILL');
  frozen.child.kill('SIGSTOP');
  const seen = frozen.lines.length;
  const orphan = frozen.lines.at(-1)!.job;
  workers.push(await startWorker());
  // Somebody else has the job when the frozen worker wakes up, in the middle of what it did.
  await expect
    .poll(() => workers.some((one) => one !== frozen && one.lines.some(({ job }) => job === orphan)), soon)
    .toBe(true);
  frozen.child.kill('SIGCONT');
  await answered(frozen, 'submit', seen);
  const late = frozen.lines.slice(seen).filter(({ job }) => job === orphan);
  expect(late.every(({ status, code }) => status === 409 && code === 'lease_lost')).toBe(true);

  await expect
    .poll(async () => (await Promise.all(ids.map(read))).every(({ job }) => job.status === 'needs_review'), soon)
    .toBe(true);
  const lines = workers.flatMap((worker) => worker.lines);
  const delays: number[] = [];
  for (const id of ids) {
    const { events } = await read(id);
    const ends = holdsOf(lines, id);
    const taken = events.filter(({ type }) => type === 'job.accepted');
    const back = events.filter(({ type }) => type === 'job.requeued');
    // Each claim was answered to one worker; but for the last, each ended by the clock before the next began.
    expect([taken.length, back.length]).toEqual([ends.length, ends.length - 1]);
    for (const [n, event] of back.entries()) {
      delays.push(Date.parse(event.created_at) - ends[n]!);
      expect(Date.parse(taken[n + 1]!.created_at)).toBeGreaterThanOrEqual(ends[n]!);
    }
    expect(events.filter(({ type }) => type === 'job.submitted')).toHaveLength(1);
    expect(lines.filter(({ job, verb, status }) => job === id && verb === 'submit' && status === 200)).toHaveLength(1);
  }
  expect(delays.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays)).toBeLessThan(30_000);
  console.log(`back in the queue ${delays.map((delay) => `${delay} ms`).join(', ')} after the lease`);
  expect(await bookFaults(studio.service.context.db)).toEqual([]);
}, 60_000);

/** When each lease on a job ended at the latest, as its worker was told, in the order of the claims. */
function holdsOf(lines: readonly Line[], id: string): number[] {
  const ends = new Map<string, number>();
  for (const { job, token, expires_at } of lines)
    if (job === id && expires_at) ends.set(token, Math.max(ends.get(token) ?? 0, Date.parse(expires_at)));
  return [...ends.values()].toSorted((a, b) => a - b);
}
