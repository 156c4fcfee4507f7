import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { draft } from '../../support/jobs.ts';
import { type Figure, type Measured, seconds, some } from '../figure.ts';
import { checkBooks } from '../judge.ts';
import { asksTo, firstGood, msOf, type Outcome, quantile, repeat, slack } from '../load.ts';
import { connect, signalPostgres } from '../postgres.ts';
import { broken, type Customer, newCustomer, service, withWorld, type World } from '../world.ts';

const answerWithin = 5_000;
const liveWithin = 100;
const recoverWithin = 2_000;
const socketsGoneWithin = 15_000;

/** What the phases came to. `calm`: the liveness of a process at rest, on this machine. */
type Seen = { answers: Outcome[]; health: Outcome[]; recoveries: number[]; openSockets: number; sockets: number };

/** Orders, reads and looks at `/healthz`, while something happens. */
async function underLoad(
  origins: readonly string[],
  { key }: Customer,
  seen: Seen,
  happens: () => Promise<number | null>,
) {
  const asks = origins.map((origin) => asksTo(origin));
  const parts = asks.flatMap((ask) => [
    repeat(4, () => ask('GET', '/api/v1/jobs?limit=5', { as: key })),
    repeat(4, () => ask('POST', '/api/v1/jobs', { as: key, key: randomUUID(), body: draft })),
  ]);
  const health = asks.map((ask) => repeat(1, () => ask('GET', '/healthz'), 50));
  await wait(1_000);
  const over = await happens();
  await wait(2_500);
  const answers = (await Promise.all(parts.map((part) => part.stop()))).flat();
  seen.answers.push(...answers);
  seen.health.push(...(await Promise.all(health.map((part) => part.stop()))).flat());
  if (over !== null) seen.recoveries.push(firstGood(answers, over));
  asks.forEach((ask) => ask.close());
}

async function freeze({ folder }: World): Promise<number> {
  signalPostgres(folder, 'SIGSTOP');
  await wait(10_000);
  const woken = performance.now();
  signalPostgres(folder, 'SIGCONT');
  return woken;
}

async function cutConnections({ ask }: World): Promise<null> {
  for (let n = 0; n < 20; n++) {
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'atelier'`);
    await wait(300);
  }
  return null;
}

/** Five hundred readers at once, for whom a lock of somebody else leaves no connection. */
async function crowd({ folder }: World, origins: readonly string[], { key }: Customer, seen: Seen): Promise<void> {
  const outside = await connect(folder);
  await outside.query('begin');
  await outside.query('lock table jobs in access exclusive mode');
  const asks = origins.map((origin) => asksTo(origin));
  const release = setTimeout(() => void outside.query('rollback'), 6_000);
  seen.answers.push(
    ...(await Promise.all(
      Array.from({ length: 500 }, (_, n) => asks[n % asks.length]!('GET', '/api/v1/jobs?limit=5', { as: key })),
    )),
  );
  clearTimeout(release);
  await outside.query('rollback').catch(() => {});
  await outside.end();
  asks.forEach((ask) => ask.close());
}

/** Five hundred sockets that send slowly, or nothing. Counts those that are still open in the end. */
async function dribble(origins: readonly string[], seen: Seen): Promise<void> {
  const head = 'POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\n';
  const kinds = [
    [head, 'X-Slow: x\r\n'],
    [`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`, ' '],
    ['', ''],
  ] as const;
  const sockets = await Promise.all(
    Array.from({ length: 500 }, async (_, n) => {
      const { hostname, port } = new URL(origins[n % origins.length]!);
      const socket = dial(Number(port), hostname).on('error', () => {});
      await once(socket, 'connect');
      const [beginning, piece] = kinds[n % kinds.length]!;
      socket.resume().write(beginning);
      const timer = setInterval(() => piece !== '' && socket.write(piece), 1_000);
      socket.on('close', () => clearInterval(timer));
      return socket;
    }),
  );
  const isOpen = () => sockets.filter(({ closed }) => !closed).length;
  for (const until = performance.now() + socketsGoneWithin + slack(); performance.now() < until && isOpen() > 0;)
    await wait(200);
  seen.sockets = sockets.length;
  seen.openSockets = isOpen();
  sockets.forEach((socket) => socket.destroy());
}

/** The control lets nothing but the broken process be asked. */
async function measure(
  originsOf: (world: World) => string[],
  terms: Parameters<typeof withWorld>[0],
): Promise<Measured> {
  return withWorld({ ...terms, env: { DATABASE_POOL: '5' } }, async (world) => {
    const [customer, origins] = [await newCustomer(world), originsOf(world)];
    const seen: Seen = { answers: [], health: [], recoveries: [], openSockets: 0, sockets: 0 };
    await underLoad(origins, customer, seen, () => freeze(world));
    await crowd(world, origins, customer, seen);
    await dribble(origins, seen);
    await underLoad(origins, customer, seen, () => cutConnections(world));
    const { answers, health, recoveries, openSockets, sockets } = seen;
    const unanswered = answers.filter(({ status, ms }) => status === 0 || ms > answerWithin + slack());
    const wrong = answers.filter(
      ({ status, fault }) => status !== 0 && (fault !== null || (status >= 400 && status !== 503)),
    );
    const live = quantile(msOf(health), 0.99);
    const dead = health.filter(({ status }) => status !== 200);
    const recovery = Math.max(...recoveries);
    return {
      measured:
        `${answers.length.toLocaleString('en')} requests, ${unanswered.length} without an answer in 5 s, ${wrong.length} other answers; ` +
        `/healthz in ${Math.round(live)} ms (p99), ${dead.length} × not; recovery in ${seconds(recovery)}; ` +
        `${openSockets} of ${sockets} slow sockets open`,
      faults: [
        ...some(
          'without an answer',
          unanswered.map(({ method, path, ms, fault }) => `${method} ${path} after ${seconds(ms)} ${fault ?? ''}`),
        ),
        ...some(
          'other answers',
          wrong.map(
            ({ method, path, status, code, fault }) => `${method} ${path} ${status} ${code ?? ''} ${fault ?? ''}`,
          ),
        ),
        ...(dead.length > 0 ? [`${dead.length} × /healthz not answered`] : []),
        ...(live > liveWithin + slack() ? [`/healthz in ${Math.round(live)} ms`] : []),
        ...(recovery > recoverWithin + slack() ? [`recovery in ${seconds(recovery)}`] : []),
        ...(openSockets > 0 ? [`${openSockets} sockets open`] : []),
        ...[world.first, world.second].filter((one) => !one.isAlive()).map(({ url }) => `the process at ${url} died`),
        ...some('contradictions', await checkBooks(world)),
      ],
    };
  });
}

export const overload: Figure = {
  name: 'F11',
  title: 'Postgres frozen for 10 s, its connections cut, a pool of 5 with 500 readers, 500 slow sockets',
  target:
    'each request answered within 5 s, by success or 503; /healthz within 100 ms (p99); recovery within 2 s; 0 slow sockets open after 15 s',
  inShort: false,
  cases: ['database', 'sockets', 'locks', 'frozen', 'refused', 'mail'].map((name) => `test/faults/${name}.test.ts`),
  run: () => measure(({ first, second }) => [first.url, second.url], {}),
  control: () => measure(({ second }) => [second.url], { programs: [service, broken('defaults')] }),
};
