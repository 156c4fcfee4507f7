import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type Proxy = {
  url: string;
  /** Closes every connection. */
  cut(): void;
  /** Withholds streams, like a proxy that buffers whole answers. */
  holdStreams(): void;
  /** Keeps connections open and accepts new ones, but passes no bytes. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
};

/** A TCP proxy in front of a service. */
export async function createProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let holds = false;
  let frozen = false;
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname);
    for (const end of [socket, upstream]) {
      sockets.add(end);
      if (frozen) end.pause();
      end
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(end);
          socket.destroy();
          upstream.destroy();
        });
    }
    let withholds = false;
    socket.on('data', (bytes: Buffer) => {
      if (holds && bytes.toString('latin1').startsWith('GET /api/v1/events/stream')) withholds = true;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!withholds) socket.write(bytes);
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
