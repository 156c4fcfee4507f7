import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../faults/process.ts';
import { draft } from '../support/jobs.ts';
import { admin, ask, compose, composed, containerOf, openEngine, start } from './compose.ts';
import { podman, run } from './engine.ts';
import { makeStandIns } from './stand-ins.ts';

/** The images of the Dockerfile and all of compose.yaml in containers. Images of registries have stand-ins. */
const origin = 'https://atelier.localhost';
const bases = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+:\S+)/gm)].map(([, name]) => name);
const around = Object.values(composed.services).map(({ image }) => image);
const service = containerOf('atelier');
let close: () => Promise<void>;
let ca: string;
let person: string;
let job: string;

const build = (...options: string[]) => run('podman', ['build', '--quiet', ...options, '.']);
const exec = (name: string, ...words: string[]) => podman('exec', name, ...words);
const psql = (statement: string) =>
  exec(containerOf('postgres'), 'psql', '-qAtU', 'postgres', '-h', '/var/run/postgresql', '-c', statement, 'atelier');
const api = (path: string, body?: object) =>
  ask(origin + path, { ca, ...(person ? { token: person } : {}), ...(body ? { body } : {}) });
const untilServing = () =>
  vi.waitFor(async () => expect(await api('/healthz')).toMatchObject({ status: 200 }), {
    timeout: 300_000,
    interval: 500,
  });

beforeAll(async () => {
  const names = [...bases, ...around].filter((name) => name !== undefined);
  await makeStandIns([...new Set(names)]);
  await build('--format', 'docker', '--tag', 'atelier-atelier');
  await build('--format', 'docker', '--target', 'backup', '--tag', 'atelier-backup');
  close = await openEngine();
  await start();
  const authority = '/data/caddy/pki/authorities/local/root.crt';
  ca = await exec(containerOf('proxy'), 'cat', authority);
  await untilServing();
}, 2_400_000);
afterAll(async () => close?.(), 300_000);

test('the service adds at most 150 MB to its base', async () => {
  const sizeOf = async (image: string) => Number(await podman('image', 'inspect', '--format', '{{.Size}}', image));
  expect((await sizeOf('atelier-atelier')) - (await sizeOf('docker.io/library/node:24-slim'))).toBeLessThan(150e6);
});

test('the health check is in the image of Docker’s format, and in compose.yaml for that of OCI', async () => {
  await build('--format', 'oci', '--tag', 'atelier-oci');
  const checkOf = (image: string) => podman('image', 'inspect', '--format', '{{json .HealthCheck}}', image);
  const command = ['node', 'deploy/healthcheck.js'];
  expect(JSON.parse(await checkOf('atelier-atelier'))).toMatchObject({ Test: ['CMD', ...command] });
  expect(JSON.parse(await checkOf('atelier-oci'))).toBeNull();
  expect(composed.services['atelier']?.healthcheck?.test).toEqual(['CMD', ...command]);
  const beside = ['run', '--detach', '--rm', '--network', `container:${service}`];
  const check = async (...options: string[]) => {
    const id = (await podman(...beside, ...options, 'sleep', '600')).trim();
    const answer = await podman('healthcheck', 'run', id).then(
      () => 'healthy',
      (error: Error) => error.message,
    );
    await podman('kill', id);
    return answer;
  };
  const given = ['--health-cmd', command.join(' ')];
  expect(await check('atelier-atelier')).toBe('healthy');
  expect(await check('--env', 'PORT=9', 'atelier-atelier')).toContain('unhealthy');
  expect(await check('atelier-oci')).toContain('no defined healthcheck');
  expect(await check(...given, 'atelier-oci')).toBe('healthy');
});

test('it serves without capabilities and new privileges, within 256 MB, and only /data and /tmp can be written', async () => {
  expect(await exec(service, 'sh', '-c', 'grep -E "^(Uid|CapEff|NoNewPrivs)" /proc/1/status')).toBe(
    'Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n',
  );
  const places =
    'for each in / /atelier /atelier/dist /home/node /etc /data /tmp; do test -w $each && echo $each; done; true';
  expect((await exec(service, 'sh', '-c', places)).split('\n').filter(Boolean)).toEqual(['/data', '/tmp']);
  const limit = await podman('inspect', '--format', '{{.HostConfig.Memory}} {{.State.OOMKilled}}', service);
  expect(limit.trim()).toBe(`${256 * 1024 ** 2} false`);
});

test('a person signs up, verifies the address by the mail, and orders a job through the proxy', async () => {
  const words = { email: 'ada@example.com', password: 'four words of no kin' };
  const signedUp = await api('/api/auth/sign-up/email', { name: 'Ada', ...words });
  person = JSON.parse(signedUp.body).token;
  const mails = 'fetch("http://mail:8025").then((answer) => answer.text()).then(console.log)';
  const token = async () => /verify-email\?token=([\w-]+)/.exec(await exec(service, 'node', '-e', mails))?.[1];
  await expect.poll(token, { timeout: 60_000 }).toBeTruthy();
  expect(await api('/api/auth/verify-email', { token: await token() })).toMatchObject({ status: 200 });
  // Stripe cannot be reached: the customer is there, and its signed event is simulated.
  await psql(
    "insert into provider_customers (account_id, provider, customer) select id, 'stripe_test', 'cus_1' from accounts",
  );
  const account = JSON.parse((await api('/api/auth/accounts')).body).accounts[0].id;
  const plan = ['--account', account, '--plan', 'studio', '--url', 'http://127.0.0.1:3000'];
  await exec(service, 'node', 'deploy/admin.js', 'provider', 'simulate', 'subscription-created', ...plan);
  const ordered = await api('/api/v1/jobs', draft);
  expect(ordered).toMatchObject({ status: 201 });
  job = JSON.parse(ordered.body).job.id;
});

test('the daily container backs up and examines at its start, and ends at SIGTERM within seconds', async () => {
  const name = containerOf('backup');
  const said = () => podman('logs', name);
  await expect.poll(said, { timeout: 300_000 }).toMatch(/backup: exit code 0 after[^]*doctor: exit code [12] after/);
  const began = performance.now();
  await podman('stop', '--time', '30', name);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0\n');
});

test('a backup restores into an empty database and storage after the loss of both', async () => {
  await podman('start', containerOf('backup'));
  expect(await admin('backup', '/backups/first', '--verify')).toContain('no contradiction');
  await compose('rm', '--stop', '--force', '--volumes', 'atelier', 'postgres', 'storage');
  await podman('volume', 'rm', 'atelier_postgres', 'atelier_files');
  await start('postgres', 'storage');
  await expect.poll(() => psql('select 1').catch(() => ''), { timeout: 120_000 }).toBe('1\n');
  expect(await admin('restore', '/backups/first', '--moved')).toContain('no contradiction');
  await start('atelier');
  await untilServing();
  await sleep(5_000);
  expect(await api(`/api/v1/jobs/${job}`)).toMatchObject({ status: 200 });
  const examined = await admin('doctor').catch((error: Error) => error.message);
  expect(examined).toMatch(/ok +migrations[^]*ok +files/);
});
