import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, type Measured, seconds, type Session, until } from '../figure.ts';
import { judgeOrders, orderFaults, showOrders } from '../judge.ts';
import { firstGood, quantile, slack } from '../load.ts';
import { beginOrders } from '../orders.ts';
import { broken, newCustomer, service, withWorld } from '../world.ts';

const readyWithin = 2_000;

/** Kills the first process so often while clients order, and judges what they learned. */
async function crash({ random, short }: Session, kills: number, programs: Parameters<typeof withWorld>[0]['programs']) {
  return withWorld({ programs }, async (world): Promise<Measured> => {
    const { first, second } = world;
    const customer = await newCustomer(world);
    const orders = await beginOrders(world, {
      customer,
      clients: 8,
      origins: [first.url, first.url, second.url],
      random,
    });
    const restarts: number[] = [];
    for (let n = 0; n < kills; n++) {
      await wait(random.between(100, 1_500));
      await first.end('SIGKILL');
      const killed = performance.now();
      await first.start();
      await until('the process is ready', () => fetch(`${first.url}/readyz`).then(({ ok }) => ok));
      restarts.push(performance.now() - killed);
    }
    await wait(300);
    const verdict = await judgeOrders(world, customer, await orders.stop());
    const ready = quantile(restarts, 0.95);
    return {
      measured: `${kills} kills, ${showOrders(verdict)}; ready again in ${seconds(ready)} (p95)`,
      faults: [
        ...orderFaults(verdict),
        ...(firstGood(orders.outcomes, 0) === Infinity ? ['no order was taken'] : []),
        // The short form has too few kills for a p95: it tells the time, and judges the rest.
        ...(!short && ready > readyWithin + slack() ? [`ready again in ${seconds(ready)}`] : []),
      ],
    };
  });
}

export const processCrashes: Figure = {
  name: 'F1',
  title: 'kill -9 of a process under load',
  target: '0 acknowledged jobs lost, 0 too many, 0 contradictions; ready again within 2 s (p95)',
  inShort: true,
  cases: ['test/faults/stopping.test.ts'],
  run: (session) => crash(session, session.short ? 4 : 50, [service, service]),
  control: (session) => crash(session, session.short ? 2 : 5, [broken('early-answer'), service]),
};
