import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { draft } from '../../support/jobs.ts';
import { openBalancer } from '../balancer.ts';
import { type Figure, type Measured, seconds, some, until } from '../figure.ts';
import { checkBooks } from '../judge.ts';
import { type Asks, asksTo, type Outcome, slack } from '../load.ts';
import { connect } from '../postgres.ts';
import { type Customer, newCustomer, service, type ServiceProcess, withWorld, type World } from '../world.ts';

const perSecond = 100;
const exitWithin = 10_000;
const slowFor = 1_500;

/** A hundred requests a second, whatever comes of them: four creates and six reads of ten. */
function beginLoad(asks: Asks, { key }: Customer, closing: AbortSignal) {
  const running: Promise<Outcome>[] = [];
  let sent = 0;
  const began = performance.now();
  const send = () => {
    const due = ((performance.now() - began) / 1000) * perSecond;
    for (; sent < due; sent++)
      running.push(
        sent % 10 < 4
          ? asks('POST', '/api/v1/jobs', { as: key, key: randomUUID(), body: draft })
          : asks('GET', sent % 10 < 8 ? '/api/v1/jobs?limit=5' : '/api/v1/me', { as: key }),
      );
  };
  const timer = setInterval(send, 1000 / perSecond);
  closing.addEventListener('abort', () => clearInterval(timer));
  return async () => {
    clearInterval(timer);
    return Promise.all(running);
  };
}

type Restart = { ms: number; code: unknown; slow: Outcome };

/** SIGTERM while a request runs that takes longer, then a start. */
async function restart(world: World, process: ServiceProcess, slow: Customer): Promise<Restart> {
  const outside = await connect(world.folder);
  await outside.query('begin');
  await outside.query('select from account_counters where account_id = $1 for update', [slow.person.accountId]);
  const asks = asksTo(process.url);
  const answer = asks('POST', '/api/v1/jobs', { as: slow.key, key: randomUUID(), body: draft });
  await wait(200);
  setTimeout(() => void outside.query('rollback').then(() => outside.end()), slowFor);
  const began = performance.now();
  const code = await process.end('SIGTERM');
  const ms = performance.now() - began;
  const outcome = await answer;
  asks.close();
  await process.start();
  await until('the process is ready', () => fetch(`${process.url}/readyz`).then(({ ok }) => ok));
  return { ms, code, slow: outcome };
}

type Balance = (origins: readonly string[]) => Promise<{ url: string; close(): void }>;

export async function roll(
  rounds: number,
  terms: Parameters<typeof withWorld>[0],
  balance: Balance = openBalancer,
): Promise<Measured> {
  return withWorld(terms, async (world) => {
    const { first, second } = world;
    const [customer, slow] = [await newCustomer(world), await newCustomer(world)];
    const balancer = await balance([first.url, second.url]);
    // As a pool in steady use: each connection in turn.
    const asks = asksTo(balancer.url, { maxSockets: 20, scheduling: 'fifo' });
    const stopLoad = beginLoad(asks, customer, world.closing);
    await wait(500);
    const restarts: Restart[] = [];
    for (let n = 0; n < rounds; n++)
      for (const process of [first, second]) {
        restarts.push(await restart(world, process, slow));
        await wait(500);
      }
    const outcomes = await stopLoad();
    asks.close();
    balancer.close();
    const failed = outcomes.filter(({ status, fault }) => status < 200 || status > 299 || fault !== null);
    const cutOff = restarts.filter((one) => one.slow.status !== 201);
    const slowest = Math.max(...restarts.map(({ ms }) => ms));
    return {
      measured:
        `${restarts.length} restarts at ${perSecond}/s: ${failed.length} of ${outcomes.length.toLocaleString('en')} requests failed, ` +
        `${cutOff.length} of ${restarts.length} that ran at SIGTERM were cut off; exit within ${seconds(slowest)}`,
      faults: [
        ...some(
          'failed requests',
          failed.map(
            ({ method, path, status, code, fault }) => `${method} ${path} ${status} ${code ?? ''} ${fault ?? ''}`,
          ),
        ),
        ...some(
          'cut off',
          cutOff.map(({ slow: { status, code, fault } }) => `${status} ${code ?? ''} ${fault ?? ''}`),
        ),
        ...some(
          'other exits',
          restarts.filter(({ code }) => code !== 0).map(({ code }) => String(code)),
        ),
        ...(slowest > exitWithin + slack() ? [`exit in ${seconds(slowest)}`] : []),
        ...some('contradictions', await checkBooks(world)),
      ],
    };
  });
}

const exiting = ['--import', './test/faults/broken/exit-on-sigterm.ts', ...service];

export const rollingRestarts: Figure = {
  name: 'F10',
  title: 'rolling restarts of both processes behind a balancer, at 100 requests a second',
  target: '0 requests failed, 0 cut off that ran at SIGTERM; exit 0 within 10 s',
  inShort: true,
  cases: ['test/faults/streams.test.ts', 'test/faults/leaving.test.ts', 'test/faults/proxies.test.ts'],
  run: ({ short }) => roll(short ? 1 : 10, {}),
  control: () => roll(1, { programs: [exiting, exiting] }),
};
