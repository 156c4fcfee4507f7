import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** What it answers: it takes mails, puts them off, refuses them, lets nobody in, says nothing, or ends after their text. */
type Answer = '250' | '451' | '550' | '421' | 'hang' | 'cut';

export type Mailbox = {
  url: string;
  port: number;
  /** Those that it has the text of. */
  emails: string[];
  answer(answer: Answer): void;
  close(): Promise<void>;
};

type Done = (error?: Error | null) => void;

const refusal = (code: string) => Object.assign(new Error('Not this one.'), { responseCode: Number(code) });

/** A mail server that keeps the text of mails. */
export async function openMailbox(port = 0): Promise<Mailbox> {
  const emails: string[] = [];
  let now: Answer = '250';
  const sockets = new Set<Socket>();
  const endConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect: (_: unknown, done: Done) => done(now === '421' ? refusal(now) : null),
    onRcptTo(_: unknown, __: unknown, done: Done) {
      if (now === '451' || now === '550') done(refusal(now));
      else if (now !== 'hang') done();
    },
    onData(stream: NodeJS.ReadableStream, _: unknown, done: Done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => (text += part));
      stream.on('end', () => {
        emails.push(decode(text));
        if (now === 'cut') endConnections();
        else done();
      });
    },
  });
  server.on('error', () => {}); // connections that the service cuts off
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    emails,
    answer(answer) {
      now = answer;
      if (answer === '421') endConnections();
    },
    async close() {
      if (!server.server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endConnections();
      await closed;
    },
  };
}

/** Quoted-printable, in which mail cuts long lines. */
const decode = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
