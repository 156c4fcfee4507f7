import { once } from 'node:events';
import { createServer, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPair } from './postgres-pair.ts';

/** Milliseconds between two questions which server is the primary. */
const checkEvery = 200;

/** A TCP balancer in front of a pair: it sends connections to the primary, and cuts those to a server that is none. */
export async function startBalancer(pair: PostgresPair): Promise<{ port: number; stop(): Promise<void> }> {
  let primary: number | null = null;
  let stopped = false;
  const open = new Map<Socket, number>();
  const server = createServer((inner) => {
    inner.on('error', () => {});
    if (primary === null) return void inner.destroy();
    const outer = connect(primary, '127.0.0.1').on('error', () => inner.destroy());
    open.set(inner, primary);
    inner.on('close', () => open.delete(inner) && outer.destroy());
    outer.on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
  });
  const check = async () => {
    while (!stopped) {
      const states = await Promise.all(pair.ports.map(async (port) => ((await pair.isPrimary(port)) ? port : null)));
      primary = states.find((port) => port !== null) ?? null;
      for (const [socket, port] of open) if (port !== primary) socket.destroy();
      await sleep(checkEvery);
    }
  };
  const checking = check();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async stop() {
      stopped = true;
      await checking;
      server.close();
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
