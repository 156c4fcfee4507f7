import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts } from '../create-accounts.ts';
import { residentMegabytes, withCost } from '../cost.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { measureLoad } from '../measure-load.ts';
import { type Service, withService } from '../start-service.ts';
import type { Settings } from '../settings.ts';

const connections = 5_000;

/** B8: memory when idle, with 5,000 idle connections and after load, and the cost of these connections. */
export const memory = ({ seconds }: Settings): Promise<Row[]> =>
  withService(async (service) => {
    const row = (figure: string, title: string, ours: number, limit: number, unit: string) =>
      toRow({ figure, title, of: 'at most', goal: 1, unit, lessIsBetter: true }, [{ ours, limit }]);
    await sleep(2_000);
    const fresh = residentMegabytes(service.pid);
    const accounts = await createAccounts(service, 1_000);
    const sockets = await openSockets(service, connections);
    await sleep(1_000);
    const { cost } = await withCost(service, () => sleep(seconds * 1_000));
    for (const socket of sockets) socket.destroy();
    const requests = accounts.map(({ token }) => ({ token, path: '/api/v1/jobs' }));
    await measureLoad(service, {
      method: 'POST',
      requests,
      body: draft,
      keyed: true,
      connections: 64,
      seconds: seconds * 3,
    });
    return [
      row('B8', 'memory, idle', fresh, 180, 'MB'),
      row('B8 connections', 'memory, 5,000 idle connections', cost.rss, 300, 'MB'),
      row('B8 cpu', '5,000 idle connections, part of a core', Math.max(cost.node, 0.001), 0.03, 'cores'),
      row('B8 after', 'memory, after load', residentMegabytes(service.pid), 300, 'MB'),
    ];
  });

async function openSockets({ origin }: Service, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.once('error', reject).once('data', () => resolve(socket.resume()));
      socket.write('GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n');
    });
  const sockets: Socket[] = [];
  while (sockets.length < count) sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))));
  return sockets;
}
