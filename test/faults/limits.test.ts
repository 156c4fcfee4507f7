import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createService, environment, type Service } from '../support/harness.ts';

/** What a process may hold open is less than it wants. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const within = { timeout: 90_000 };

/** Another process under a limit of open files: its URL, and what it logs. */
async function startUnder(files: number): Promise<{ url: string; said: () => string }> {
  const child = spawn('bash', ['-c', `ulimit -n ${files}; exec "${process.execPath}" test/support/second-process.ts`], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, ...environment, LOG_LEVEL: 'warn', DATABASE_URL: service.databaseUrl },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.stdin.end());
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), said: () => said };
}

test('a low limit of open files is reported at the start, and connections stay below it', async () => {
  const { url, said } = await startUnder(700);
  expect(said()).toContain('`ulimit -n` is 700: at most 350 connections at once, instead of 12000');
  const sockets = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      await once(socket.resume(), 'connect');
      return socket;
    }),
  );
  // Beyond the limit a connection is closed at once.
  const open = () => sockets.filter(({ readyState }) => readyState === 'open').length;
  await vi.waitFor(() => expect(open()).toBe(350), within);
  sockets.forEach((socket) => socket.destroy());
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), within);
});

test('where it is high enough nothing is said', async () => {
  expect((await startUnder(20_000)).said()).not.toContain('ulimit');
});
