import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const operator = { email: 'operator@example.com', password: 'the operator of the tests' };

// A test reads any field of an answer; the API's own tests hold them against the contract.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

export type Service = Awaited<ReturnType<typeof startService>>;
export type Person = { name: string; email: string; password: string; token: string };

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}

/** A process of the service, once it is ready. */
async function startProcess(dataDir: string, port: number, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'error',
      OPERATOR_EMAIL: operator.email,
      OPERATOR_PASSWORD: operator.password,
      // A receiver of webhooks that a test runs here.
      WEBHOOK_ALLOW: '127.0.0.0/8',
      RATE_SIGN_UP: 'address=1000/60',
      RATE_USE_MAIL_TOKEN: 'address=1000/60',
      RATE_READ_PUBLIC: 'address=10000/60',
      RATE_LIST_PLANS: 'address=1000/60',
      RATE_CHECK_INTENT: 'address=1000/60',
      RATE_SEND_MAIL: 'address=1000/60,email=100/60',
      RATE_REQUEST: 'credential=10000/60',
      RATE_INVITE_MEMBER: 'account=1000/60,address=1000/60,email=100/60',
      RATE_START_CHECKOUT: 'account=1000/60',
      RATE_SIGN_IN: 'address=1000/60,email=1000/60',
      RATE_OPEN_INTAKE: 'account=1000/60',
      RATE_CREATE_JOB: 'account=1000/60,key=1000/60',
      RATE_OPEN_STREAM: 'account=1000/60',
      ...env,
    },
  });
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) return child;
    if (tries > 720 || child.exitCode !== null) throw new Error('The service did not start.');
    await wait(250);
  }
}

/** The service as `npm start` runs it, with its own database, files and mailbox. */
export async function startService(env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-web-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child = await startProcess(dataDir, port, env);
  const halt = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };

  async function call(method: string, path: string, token: string | null, body?: object): Promise<Answer> {
    const answer = await fetch(url + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
  const operatorToken: string = (await call('POST', '/api/auth/sign-in/email', null, operator)).token;

  return {
    url,
    dataDir,
    call,
    operator,
    operatorToken,
    /** As for a deployment: what it keeps stays, and `resume` starts it at the same address. */
    halt,
    resume: async () => {
      child = await startProcess(dataDir, port, env);
    },
    stop: async () => {
      await halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
