import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Proxy = {
  url: string;
  /** Breaks every connection off. */
  cut(): void;
  /** Lets the answers of streams no longer through, as a proxy does that gathers an answer before it passes it on. */
  holdStreams(): void;
  /** Becomes a black hole: connections stay open and new ones are accepted, but no byte passes. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** A TCP proxy before a service. */
export async function createProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let holds = false;
  let frozen = false;
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    for (const one of [socket, upstream]) {
      sockets.add(one);
      if (frozen) one.pause();
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          socket.destroy();
          upstream.destroy();
        });
    }
    let held = false;
    socket.on('data', (bytes: Buffer) => {
      if (holds && bytes.toString('latin1').startsWith('GET /api/v1/events/stream')) held = true;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!held) socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    cut,
    holdStreams: () => void (holds = true),
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      server.close();
      cut();
    },
  };
}
