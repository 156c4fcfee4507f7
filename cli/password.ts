import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from './output.ts';

/** Reads a password from the terminal without showing it. */
export async function readPassword(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Failure('There is no terminal to ask for the password.', 'Set OPERATOR_PASSWORD.');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  process.stderr.write(question); // the echo is off from here on
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Failure('No password was given.', 'Run the command again.')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
