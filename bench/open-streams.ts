import { createConnection, type Socket } from 'node:net';
import type { Account } from './create-accounts.ts';

/** Streams that one key may open per process. */
const perKey = 5;

/** Opens streams over plain sockets, five per key. `onText` gets all received text. */
export async function openStreams(
  origin: string,
  accounts: readonly Account[],
  onText: (text: string) => void,
): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  const open = ({ token }: Account) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.setEncoding('utf8').once('error', reject);
      socket.once('data', (text: string) => {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(`A stream was refused: ${text}`));
        socket.on('data', onText);
        return resolve(socket);
      });
      socket.write(`GET /api/v1/events/stream HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    });
  const sockets: Socket[] = [];
  for (let at = 0; at < accounts.length; at += 20) {
    const some = accounts.slice(at, at + 20).flatMap((account) => Array.from({ length: perKey }, () => account));
    sockets.push(...(await Promise.all(some.map(open))));
  }
  return sockets;
}
