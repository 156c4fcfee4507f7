import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, type Measured, type Session, seconds, some, until } from '../figure.ts';
import { judgeOrders, orderFaults, showOrders } from '../judge.ts';
import { firstGood, slack } from '../load.ts';
import { beginOrders } from '../orders.ts';
import { signalPostgres } from '../postgres.ts';
import { broken, newCustomer, service, withWorld, type World } from '../world.ts';

const recoverWithin = 5_000;

/** Two faults at the same time. Each returns when nothing is broken any more. */
const pairs: Record<string, (world: World) => Promise<void>> = {
  'process and Postgres killed': async ({ first, folder }) => {
    signalPostgres(folder, 'SIGKILL');
    await first.end('SIGKILL');
    await first.start();
  },
  'Postgres frozen, process killed': async ({ first, folder }) => {
    signalPostgres(folder, 'SIGSTOP');
    await first.end('SIGKILL');
    await wait(3_000);
    signalPostgres(folder, 'SIGCONT');
    await first.start();
  },
  'process told to stop, Postgres killed': async ({ first, folder }) => {
    const end = first.end('SIGTERM');
    signalPostgres(folder, 'SIGKILL');
    await end;
    await first.start();
  },
  'process frozen, connections cut': async ({ first, ask }) => {
    first.run().child.kill('SIGSTOP');
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'atelier'`);
    await wait(3_000);
    first.run().child.kill('SIGCONT');
  },
};

async function measure(
  { random }: Session,
  rounds: number,
  programs: Parameters<typeof withWorld>[0]['programs'],
  names = Object.keys(pairs),
): Promise<Measured> {
  return withWorld({ programs }, async (world) => {
    const { first, second } = world;
    const customer = await newCustomer(world);
    const orders = await beginOrders(world, { customer, clients: 8, origins: [first.url, second.url], random });
    const recoveries: number[] = [];
    for (let n = 0; n < rounds; n++)
      for (const name of names) {
        await wait(random.between(300, 1_500));
        await pairs[name]!(world);
        const over = performance.now();
        await until('an order is taken again', () => firstGood(orders.outcomes, over) < Infinity);
        recoveries.push(firstGood(orders.outcomes, over));
      }
    await wait(300);
    const verdict = await judgeOrders(world, customer, await orders.stop());
    const slowest = Math.max(...recoveries);
    return {
      measured: `${rounds * names.length} pairs (${names.join('; ')}): ${showOrders(verdict)}; an order within ${seconds(slowest)}`,
      faults: [
        ...orderFaults(verdict),
        ...(slowest > recoverWithin + slack() ? [`an order only after ${seconds(slowest)}`] : []),
        ...some(
          'processes that died',
          [second].filter((process) => !process.isAlive()).map(({ url }) => url),
        ),
      ],
    };
  });
}

export const twoFaults: Figure = {
  name: 'F16',
  title: 'two faults at once: a process and Postgres killed, frozen, stopped and cut off together',
  target: '0 acknowledged jobs lost, 0 too many, 0 contradictions; an order within 5 s',
  inShort: false,
  run: (session) => measure(session, 5, [service, service]),
  control: (session) => measure(session, 2, [broken('early-answer'), service], ['process and Postgres killed']),
};
