import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createUntilStopped } from '../faults/creates.ts';
import { firstGood, slack, tally } from '../faults/load.ts';
import { openFolder, removeFolder } from '../faults/process.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { expectBooksToAgree, expectNoneLost } from './nothing-lost.ts';
import { PostgresPair } from './postgres-pair.ts';

/** The procedure "A second site" of the manual, under orders: there, and back again. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 180_000 });

let pair: PostgresPair;
let service: ServiceProcess;
let folder: string;
const at = (site: string) => ({ STORAGE_URL: `file:${join(folder, site)}` });
beforeAll(async () => {
  folder = await openFolder();
  pair = await PostgresPair.start({ alone: true });
  await pair.openSecondSite();
  service = await startServiceProcess({ DATABASE_URL: pair.urlOfBoth(), ...at('first') }, pair.url());
});
afterAll(async () => {
  await service?.stop();
  await pair?.stop();
  await removeFolder(folder);
});

/** Without its standby it keeps what it is told to itself: no write is acknowledged. */
async function expectSilence(old: { cluster: string; port: number }): Promise<void> {
  const server = await pair.startApart(old);
  const answers = pair.ask(server.port, `create table lost ()`).then(
    () => 'acknowledged',
    () => 'ended',
  );
  expect(await Promise.race([answers, sleep(3_000, 'silent')])).toBe('silent');
  server.signal('SIGKILL');
  await server.ended;
}

test.each(['there', 'back'])(
  '%s: no acknowledged order is lost or made twice, and the old primary follows',
  async (way) => {
    const creates = createUntilStopped(service.asks, service.key, 8);
    await expect.poll(() => creates.made.size).toBeGreaterThan(50);
    const { began, promoted, back, said } = await pair.moveToSecondSite(async (old) => {
      await expect.poll(() => creates.made.size).toBeGreaterThan(100);
      await expectSilence(old);
    });
    expect(said).toContain('Done!'); // what it had kept to itself is undone
    await sleep(1_000);
    await creates.stop();
    await expectNoneLost(pair, creates);
    await expectBooksToAgree({ DATA_DIR: service.folder, ...at('first'), DATABASE_URL: pair.urlOfBoth() });
    const first = firstGood(creates.outcomes, began);
    expect(first).toBeLessThan(5_000 + slack());
    const ms = (value: number) => `${Math.round(value)} ms`;
    process.stdout.write(
      `${way}: promoted in ${ms(promoted)}, first order after ${ms(first)}, old primary follows after ${ms(back)}, ` +
        `${creates.made.size} acknowledged, ${JSON.stringify(tally(creates.outcomes))}\n`,
    );
  },
);
