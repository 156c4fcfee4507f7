import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const checkEvery = 250;
const connectWithin = 5_000;

/**
 * A TCP balancer: new connections go in turn to the processes whose `/readyz` answers 200. It connects to another one if
 * that fails, and repeats no request.
 */
export async function openBalancer(origins: readonly string[]): Promise<{ url: string; close(): void }> {
  const ready = new Set(origins);
  const sockets = new Set<Socket>();
  let turn = 0;
  const check = async (origin: string) => {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    if (answer?.ok) ready.add(origin);
    else ready.delete(origin);
  };
  const checks = setInterval(() => origins.forEach((origin) => void check(origin)), checkEvery);

  async function connectToNext(): Promise<Socket | null> {
    for (const giveUp = performance.now() + connectWithin; performance.now() < giveUp; await wait(10)) {
      const candidates = [...ready];
      const origin = candidates[turn++ % Math.max(1, candidates.length)];
      if (origin === undefined) continue;
      const { hostname, port } = new URL(origin);
      const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
      const failed = await Promise.race([once(upstream, 'connect').then(() => false), once(upstream, 'close')]).catch(
        () => true,
      );
      if (failed === false) return upstream;
      ready.delete(origin);
    }
    return null;
  }

  async function serve(client: Socket): Promise<void> {
    client.pause();
    const upstream = await connectToNext();
    if (!upstream) return void client.destroy();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroySoon();
        });
      from.pipe(to);
    }
  }
  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => {});
    void serve(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close() {
      clearInterval(checks);
      server.close();
      sockets.forEach((socket) => socket.destroy());
    },
  };
}
