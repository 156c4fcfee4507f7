import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure, type Io } from './output.ts';

/** Reads a password from the terminal without showing it. */
export async function readPassword({ stdin, stderr }: Io, question: string): Promise<string> {
  if (!stdin.isTTY) throw new Failure('There is no terminal to ask for the password.', 'Set OPERATOR_PASSWORD.');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true });
  stderr.write(question); // the echo is off from here on
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Failure('No password was given.', 'Run the command again.')));
    });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
