import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startScheduledTasks } from '../../server/scheduled-tasks.ts';
import type { Queue } from '../../server/db/queue.ts';
import { newJob, createStudio, readJob, type Studio } from '../support/jobs.ts';
import { bookFaults } from '../support/seed.ts';
import { leasesOf, type WorkerLine } from '../support/worker-lines.ts';
import { makeWorker } from '../support/workers.ts';

/*
 * Real worker processes that are killed and frozen, two queues on one database, and nothing else to help.
 */
type Event = { type: string; actor: string; created_at: string };

let studio: Studio;
let queues: Queue[];
const processes: ChildProcess[] = [];
beforeAll(async () => {
  studio = await createStudio();
  queues = [1, 2].map(() => startScheduledTasks(studio.service.context, studio.service.databaseUrl));
});
// Those of a first try would take the jobs of the second.
afterEach(() => processes.splice(0).forEach((child) => child.kill('SIGKILL')));
afterAll(async () => {
  await Promise.all(queues.map((queue) => queue.stop()));
  await studio.service.close();
});

/** A worker process with what it has been answered so far. It works on each job for `workMs`. */
async function startWorker(workMs = 2_500) {
  const env = {
    ...process.env,
    SERVICE_URL: studio.service.url,
    WORKER_KEY: await makeWorker(studio),
    WORK_MS: String(workMs),
  };
  const child = spawn(process.execPath, ['test/support/worker-process.ts'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  const lines: WorkerLine[] = [];
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
  // Those that are killed and frozen are still at work then, however late it is noticed that they are.
  const [killed, frozen, spared] = await Promise.all([startWorker(8_000), startWorker(8_000), startWorker()]);
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
  const late = frozen.lines.slice(seen).filter(({ job, verb }) => job === orphan && verb === 'submit');
  expect(late.map(({ status, code }) => [status, code])).toEqual([[409, 'lease_lost']]);

  await expect
    .poll(async () => (await Promise.all(ids.map(read))).every(({ job }) => job.status === 'needs_review'), soon)
    .toBe(true);
  const all = () => workers.flatMap((worker) => worker.lines);
  const submissions = (id: string) =>
    all().filter(({ job, verb, status }) => job === id && verb === 'submit' && status === 200);
  // A worker prints its answer later than the job shows it.
  await expect.poll(() => ids.every((id) => submissions(id).length > 0), soon).toBe(true);
  const lines = all();
  const delays: number[] = [];
  for (const id of ids) {
    const { events } = await read(id);
    const ends = leasesOf(lines, id).map(({ last }) => last);
    const taken = events.filter(({ type }) => type === 'job.accepted');
    const back = events.filter(({ type }) => type === 'job.requeued');
    // Each claim was answered to one worker; but for the last, each ended by the clock before the next began.
    expect([taken.length, back.length]).toEqual([ends.length, ends.length - 1]);
    for (const [n, event] of back.entries()) {
      delays.push(Date.parse(event.created_at) - ends[n]!);
      expect(Date.parse(taken[n + 1]!.created_at)).toBeGreaterThanOrEqual(ends[n]!);
    }
    expect(events.filter(({ type }) => type === 'job.submitted')).toHaveLength(1);
    expect(submissions(id)).toHaveLength(1);
  }
  expect(delays.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...delays)).toBeLessThan(30_000);
  console.log(`back in the queue ${delays.map((delay) => `${delay} ms`).join(', ')} after the lease`);
  expect(await bookFaults(studio.service.context.db)).toEqual([]);
});
