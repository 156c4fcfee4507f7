import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, type Measured, seconds, type Session, until } from '../figure.ts';
import { judgeOrders, orderFaults, showOrders } from '../judge.ts';
import { firstGood, slack } from '../load.ts';
import { beginOrders } from '../orders.ts';
import { signalPostgres } from '../postgres.ts';
import { newCustomer, withWorld } from '../world.ts';

const backWithin = 3_000;

/** Kills Postgres with all its children so often while clients order. */
async function crash({ random }: Session, kills: number, terms: Parameters<typeof withWorld>[0]): Promise<Measured> {
  return withWorld(terms, async (world) => {
    const { first, second, folder } = world;
    const customer = await newCustomer(world);
    await world.ask('checkpoint'); // the customer outlives the crashes of the control, too
    const pids = [first, second].map((process) => process.run().child.pid);
    const orders = await beginOrders(world, { customer, clients: 8, origins: [first.url, second.url], random });
    const returns: number[] = [];
    for (let n = 0; n < kills; n++) {
      await wait(random.between(300, 1_500));
      signalPostgres(folder, 'SIGKILL');
      await until('Postgres is back', () =>
        world.ask('select 1').then(
          () => true,
          () => false,
        ),
      );
      const back = performance.now();
      await until('an order is taken again', () => firstGood(orders.outcomes, back) < Infinity);
      returns.push(firstGood(orders.outcomes, back));
    }
    await wait(300);
    const verdict = await judgeOrders(world, customer, await orders.stop());
    const slowest = Math.max(...returns);
    const died = [first, second].filter((process, n) => !process.isAlive() || process.run().child.pid !== pids[n]);
    return {
      measured: `${kills} kills, ${showOrders(verdict)}; ${died.length} processes died; an order at the latest ${seconds(slowest)} after Postgres`,
      faults: [
        ...orderFaults(verdict),
        ...died.map(({ url }) => `the process at ${url} died`),
        ...(slowest > backWithin + slack() ? [`an order only ${seconds(slowest)} after Postgres`] : []),
      ],
    };
  });
}

export const postgresCrashes: Figure = {
  name: 'F2',
  title: 'kill -9 of Postgres and all its children under load',
  target: '0 acknowledged jobs lost, 0 too many, 0 contradictions; 0 processes died; an order within 3 s of its return',
  inShort: true,
  run: (session) => crash(session, session.short ? 2 : 20, {}),
  // Production refuses this database.
  control: (session) =>
    crash(session, session.short ? 2 : 4, {
      postgres: { synchronous_commit: 'off', wal_writer_delay: '10s' },
      env: { NODE_ENV: 'development' },
    }),
};
