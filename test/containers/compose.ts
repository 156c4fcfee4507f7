import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { root } from '../faults/process.ts';
import { environment, folder, podman, run } from './engine.ts';

const plugin = process.env.DOCKER_COMPOSE ?? '/usr/libexec/docker/cli-plugins/docker-compose';
const socket = join(folder, 'podman.sock');
const secrets = join(folder, 'secrets.env');
const limits = join(folder, 'limits.yaml');
/** What the file does not say, because drawing posters may take more: see "Posters" in the manual. */
writeFileSync(limits, 'services:\n  atelier:\n    mem_limit: 256m\n');
const secret = () => randomBytes(32).toString('hex');

type Composed = { services: Record<string, { image?: string; healthcheck?: { test: string[] } }> };
export const composed = parse(readFileSync(join(root, 'compose.yaml'), 'utf8')) as Composed;

/** Docker's Compose on compose.yaml as it is, with Podman behind it. */
export const compose = (...args: string[]) =>
  run(plugin, ['-f', 'compose.yaml', '-f', limits, '--env-file', secrets, ...args], {
    env: { DOCKER_HOST: `unix://${socket}` },
  });
export const containerOf = (service: string) => `atelier-${service}-1`;
export const start = (...services: string[]) => compose('up', '-d', '--no-build', '--no-recreate', ...services);
/** Runs a command of the operators in the container for backups. Through Compose, Podman 4.3 loses output and exit code. */
export const admin = (...args: string[]) => podman('exec', containerOf('backup'), 'node', 'deploy/admin.js', ...args);

/** Podman's socket, and the health checks, which systemd would run by the clock. `stop` deletes everything but the images. */
export async function openEngine(): Promise<() => Promise<void>> {
  rmSync(socket, { force: true });
  const server = spawn('podman', ['system', 'service', '--time=0', `unix://${socket}`], { env: environment });
  const ended = once(server, 'exit');
  let open = true;
  const values = { SECRET_KEY: secret(), POSTGRES_PASSWORD: secret(), STORAGE_SECRET: secret() };
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef', STRIPE_WEBHOOK_SECRET: `whsec_${secret()}` };
  const lines = Object.entries({ ...values, ...stripe }).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(secrets, lines.join(''), { mode: 0o600 });
  const checking = (async () => {
    for (; open; await sleep(2_000))
      for (const name of (await podman('ps', '--quiet')).split(/\s+/).filter(Boolean))
        await podman('healthcheck', 'run', name).catch(() => null);
  })();
  return async () => {
    open = false;
    await checking;
    await compose('down', '--volumes', '--timeout', '3').catch(() => null);
    server.kill();
    await ended;
  };
}

type Answer = { status: number | undefined; body: string };

/** Asks the proxy by TLS, as a customer does. The names are of this machine. */
export async function ask(url: string, options: { token?: string; body?: object; ca: string }): Promise<Answer> {
  const { token, body, ca } = options;
  const { host, pathname, search } = new URL(url);
  const asked = request({
    host: '127.0.0.1',
    servername: host,
    path: pathname + search,
    method: body ? 'POST' : 'GET',
    ca,
    headers: {
      host,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
  });
  asked.end(body ? JSON.stringify(body) : undefined);
  const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream & { statusCode?: number }];
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode, body: text };
}
