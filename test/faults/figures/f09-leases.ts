import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { parkedAfter } from '../../../contract/moves.ts';
import { showId } from '../../../server/lib/id.ts';
import { draft } from '../../support/jobs.ts';
import { leasesOf, type WorkerLine } from '../../support/worker-lines.ts';
import { makeWorker } from '../../support/workers.ts';
import { type Figure, type Measured, type Random, seconds, type Session, some, until } from '../figure.ts';
import { checkBooks } from '../judge.ts';
import { asksTo, quantile, slack } from '../load.ts';
import { root } from '../process.ts';
import { broken, newCustomer, newStudio, withWorld, type World } from '../world.ts';

const lease = 5_000;
const reclaimedWithin = lease + 5_000;
/** Longer than the lease, so that another worker has the job when this one goes on. */
const stopFor = 2 * lease;

/** Milliseconds. On a busy machine each strike costs the workers more than on an idle one. */
const strikesFor = 120_000;

type Row = { id: string; lease_token: string | null; lease_expiries: number };

/** `work`: how long each worker takes for a job. */
type Terms = { jobs: number; work: readonly number[]; nemesisEvery: number; origins: (world: World) => string[] };

/** Workers as processes, of which a nemesis kills and stops one after the other. */
function openWorkers(keys: { origins: readonly string[]; workerKey: string; work: readonly number[] }) {
  const lines: WorkerLine[] = [];
  const start = (n: number): ChildProcess => {
    const child = spawn(process.execPath, [join(root, 'test/support/worker-process.ts')], {
      env: {
        PATH: process.env.PATH,
        SERVICE_URL: keys.origins[n % keys.origins.length],
        WORKER_KEY: keys.workerKey,
        WORK_MS: String(keys.work[n]),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text) as WorkerLine));
    return child;
  };
  const children = keys.work.map((_, n) => start(n));
  const stopped = new Set<number>();

  async function strike(random: Random): Promise<void> {
    // The first is left alone: a job whose lease ended meets a worker that is free.
    const n = Math.floor(random.between(1, children.length));
    if (stopped.has(n)) return;
    // Another works on, so that jobs come to an end.
    if (random.next() < 0.5 && stopped.size < children.length - 2) {
      stopped.add(n);
      const child = children[n]!;
      child.kill('SIGSTOP');
      await wait(stopFor);
      child.kill('SIGCONT');
      stopped.delete(n);
    } else {
      children[n]!.kill('SIGKILL');
      children[n] = start(n);
    }
  }
  return {
    lines,
    strike,
    async end() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const gone = once(child, 'exit');
          child.kill('SIGKILL');
          await gone;
        }),
      );
    },
  };
}

/**
 * From the last sign of a lease's life to the next claim of its job. A job is left out if nobody was told of a claim,
 * because the worker was killed meanwhile.
 */
function reclaims(lines: readonly WorkerLine[], rows: readonly Row[]): number[] {
  return rows.flatMap(({ id, lease_expiries }) => {
    const leases = leasesOf(lines, showId('job', id));
    if (leases.length < Math.min(lease_expiries + 1, parkedAfter)) return [];
    return leases.slice(1).map(({ first }, n) => first - leases[n]!.last);
  });
}

async function measure(
  { random }: Session,
  terms: Terms,
  programs?: Parameters<typeof withWorld>[0],
): Promise<Measured> {
  return withWorld(programs ?? {}, async (world) => {
    const studio = await newStudio(world);
    const { person, key } = await newCustomer(world);
    const asks = asksTo(world.second.url);
    for (let n = 0; n < terms.jobs; n += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, terms.jobs - n) }, () =>
          asks('POST', '/api/v1/jobs', { as: key, body: draft }),
        ),
      );
    asks.close();
    const workerKey = await makeWorker(studio);
    const workers = openWorkers({ origins: terms.origins(world), workerKey, work: terms.work });
    const strikes: Promise<void>[] = [];
    const nemesis = setInterval(() => strikes.push(workers.strike(random)), terms.nemesisEvery);
    // Then the workers have time to end what is left.
    const truce = setTimeout(() => clearInterval(nemesis), strikesFor);
    world.closing.addEventListener('abort', () => {
      clearInterval(nemesis);
      void workers.end();
    });
    const open = async () => {
      const [row] = await world.ask(
        `select count(*)::int as count from jobs
         where account_id = $1 and status in ('queued', 'accepted', 'running') and lease_expiries < ${parkedAfter}`,
        [person.accountId],
      );
      return row.count as number;
    };
    await until('every job is submitted', async () => (await wait(250)) ?? (await open()) === 0, 240_000).catch(
      () => {},
    );
    clearTimeout(truce);
    clearInterval(nemesis);
    await Promise.all(strikes);
    await wait(2_500); // workers that go on submit late
    await workers.end();
    return judge(world, workers.lines, await open(), person.accountId);
  });
}

async function judge(world: World, lines: readonly WorkerLine[], stuck: number, accountId: string): Promise<Measured> {
  const submits = lines.filter(({ verb }) => verb === 'submit');
  const accepted = submits.filter(({ status }) => status === 200);
  const text = 'select id, lease_token, lease_expiries from jobs where account_id = $1';
  const rows: Row[] = await world.ask(text, [accountId]);
  const last = new Map(rows.map(({ id, lease_token }) => [showId('job', id), lease_token]));
  const stale = accepted.filter(({ job, token }) => last.get(job) !== token);
  const twice = accepted.filter(({ job }, n) => accepted.findIndex((other) => other.job === job) < n);
  const waits = reclaims(lines, rows);
  const reclaim = quantile(waits, 0.95);
  const late = submits.filter(({ status }) => status === 409).length;
  const parked = rows.filter(({ lease_expiries }) => lease_expiries === parkedAfter).length;
  return {
    measured:
      `${rows.length} jobs: ${twice.length} completed twice, ${stale.length} by a lost lease, ${stuck} stuck; ` +
      `${late} late submissions refused, ${waits.length} jobs claimed again in ${seconds(reclaim)} (p95), ${parked} parked`,
    faults: [
      ...some(
        'completed twice',
        twice.map(({ job }) => job),
      ),
      ...some(
        'completed by a lost lease',
        stale.map(({ job }) => job),
      ),
      ...(stuck > 0 ? [`${stuck} jobs stuck`] : []),
      ...(reclaim > reclaimedWithin + slack() ? [`claimed again in ${seconds(reclaim)}`] : []),
      ...(waits.length === 0 || late === 0 ? ['no worker lost its lease'] : []),
      ...some('contradictions', await checkBooks(world)),
    ],
  };
}

const both = ({ first, second }: World) => [first.url, second.url];

export const leases: Figure = {
  name: 'F9',
  title: 'workers that are killed, or stopped for longer than their lease of 5 s',
  target: '0 jobs completed twice or by a lost lease, 0 stuck; claimed again within the lease and 5 s (p95)',
  inShort: true,
  run: (session) =>
    measure(
      session,
      session.short
        ? { jobs: 24, work: [200, 200, 200, 7_000, 7_000], nemesisEvery: 700, origins: both }
        : { jobs: 500, work: [200, 200, 200, 200, 200, 200, 7_000, 7_000], nemesisEvery: 300, origins: both },
    ),
  // The second process is the service, which expires the leases.
  control: (session) =>
    measure(
      session,
      { jobs: 8, work: [7_000, 7_000, 7_000, 7_000], nemesisEvery: 1_500, origins: ({ first }) => [first.url] },
      { programs: [broken('no-fence'), ['server/main.ts']] },
    ),
};
