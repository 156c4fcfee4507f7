import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytes, withCost } from '../cost.ts';
import { createAccounts } from '../create-accounts.ts';
import { type Row, toRow } from '../figure.ts';
import { openStreams } from '../open-streams.ts';
import { withService } from '../start-service.ts';

/** B16: memory and processor time of 10,000 idle streams of 2,000 accounts. */
export const idleStreams = (): Promise<Row[]> =>
  withService(async (service) => {
    const row = (figure: string, title: string, ours: number, limit: number, unit: string) =>
      toRow({ figure, title, of: 'at most', goal: 1, unit, lessIsBetter: true }, [{ ours, limit }]);
    const sockets = await openStreams(service.origin, await createAccounts(service, 2_000), () => {});
    await sleep(5_000);
    const { cost } = await withCost(service, () => sleep(20_000));
    const rss = residentMegabytes(service.pid);
    const open = sockets.filter(({ readyState }) => readyState === 'open').length;
    for (const socket of sockets) socket.destroy();
    if (open !== 10_000) throw new Error(`Of 10,000 streams ${open} stayed open.`);
    return [
      row('B16', 'memory, 10,000 idle streams', rss, 400, 'MB'),
      row('B16 cpu', '10,000 idle streams, part of a core', Math.max(cost.node, 0.001), 0.03, 'cores'),
    ];
  });
