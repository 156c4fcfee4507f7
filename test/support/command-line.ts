import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

type Io = { stdin: PassThrough; stdout: PassThrough; stderr: PassThrough; env: Env; cwd(): string };
type Env = Record<string, string | undefined>;
type Surroundings = { env?: Env; cwd?: string };
/** The customers' command line, or that of the operators. */
export type Run = (words: string[], io: Io) => Promise<number>;

/** Runs a command in the process of the test. Its output ends with it, as that of a process of its own. */
export function start(run: Run, words: string[], { env = {}, cwd = '/nonexistent' }: Surroundings = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const ended = run(words, { stdin, stdout, stderr, env, cwd: () => cwd }).finally(() => {
    stdout.end();
    stderr.end();
  });
  return { stdin, stdout, stderr, ended };
}

export type Ended = { code: number; out: string; err: string };

/** The same with this on standard input, once it has ended. */
export async function runToEnd(
  run: Run,
  words: string[],
  { input = '', ...surroundings }: Surroundings & { input?: string } = {},
): Promise<Ended> {
  const { stdin, stdout, stderr, ended } = start(run, words, surroundings);
  stdin.end(input);
  const [code, out, err] = await Promise.all([ended, text(stdout), text(stderr)]);
  return { code, out, err };
}
