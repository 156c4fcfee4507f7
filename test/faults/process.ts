import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { environment } from '../support/harness.ts';

/** The service as an operating-system process of its own, started as an operator starts it. */
export type Run = {
  child: ChildProcess;
  /** All that it wrote so far, to either output. */
  said(): string;
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
};

export const root = resolve(import.meta.dirname, '..', '..');

/** A folder that Postgres's own user may pass, so that the data stays inside and goes away with it. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-fault-'));
  await chmod(folder, 0o711);
  return folder;
}

export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 });

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** `watched`: as `npm run dev` does, in a process group of its own. `program`: what Node runs, in `folder`. */
type Terms = { watched?: boolean; program?: readonly string[]; folder?: string };

const patientProcess = new URL('../support/patient-process.ts', import.meta.url).href;

/** Runs the service with the environment of the tests and this one over it; undefined takes a variable away. */
export function run(
  env: Record<string, string | undefined>,
  { watched = false, program = ['server/main.ts'], folder = root }: Terms = {},
): Run {
  const { PATH, HOME, NODE_EXTRA_CA_CERTS, PATIENT_PROCESSES } = process.env;
  const given = { PATH, HOME, NODE_EXTRA_CA_CERTS, ...environment, ...env };
  const options = [...(watched ? ['--watch'] : []), ...(PATIENT_PROCESSES ? ['--import', patientProcess] : [])];
  const child = spawn(process.execPath, [...options, ...program], {
    cwd: folder,
    env: given,
    detached: watched,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (part) => (text += part));
  return {
    child,
    said: () => text,
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
  };
}

/** Answers once the process serves at `url`; throws with its words when it ends before that. */
export async function untilServing(url: string, { child, said }: Run): Promise<void> {
  for (const giveUp = Date.now() + 120_000; ;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended at its start.\n${said()}`);
    if (Date.now() > giveUp) throw new Error(`It does not serve.\n${said()}`);
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}
