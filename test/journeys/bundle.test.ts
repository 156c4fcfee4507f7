import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, openFolder, removeFolder, root, run, type Run, untilServing } from '../faults/process.ts';
import { newFile } from '../support/files.ts';
import { callsTo, createService, type Service } from '../support/harness.ts';
import { createJob } from '../support/jobs.ts';
import { makeImage } from '../support/image.ts';
import { call, connect } from '../support/mcp.ts';
import { pageThatDraws } from '../support/pictures.ts';
import { makeCustomer } from '../support/service-process.ts';

/** The service as in its image: the bundle with the few packages beside it, and no sources. */
let folder: string;
let data: string;
let url: string;
let databaseUrl: string;
let running: Run;
let service: Service;
let key: string;

const start = (program: string[], env: Record<string, string>) => run(env, { program, folder });

beforeAll(async () => {
  [folder, data] = [await openFolder(), await openFolder()];
  await makeImage(folder);
  const source = await createService();
  await source.close();
  databaseUrl = source.databaseUrl;
  const port = String(await freePort());
  url = `http://localhost:${port}`;
  const env = { NODE_ENV: 'development', DATABASE_URL: databaseUrl, DATA_DIR: data, PORT: port, PUBLIC_URL: url };
  running = start(['deploy/serve.js'], env);
  await untilServing(url, running);
  key = await makeCustomer(url, data, databaseUrl);
  service = { ...source, url, call: callsTo(url) };
}, 400_000);
afterAll(async () => {
  running?.child.kill('SIGTERM');
  await running?.ended;
  for (const each of [folder, data]) await removeFolder(each);
});

const textOf = async (path: string, init?: RequestInit) => {
  const answer = await fetch(url + path, init);
  return `${answer.status} ${await answer.text()}`;
};

test('pages, the API, the reference, its document and OAuth', async () => {
  expect(await textOf('/')).toContain('200 <!doctype html>');
  expect((await createJob(service, key)).status).toBe(201);
  expect(await textOf('/docs/')).toMatch(/^200 [^]*scalar/);
  expect((await textOf('/docs/js/scalar.js')).length).toBeGreaterThan(1_000_000);
  expect(await textOf('/api/v1/openapi.json')).toContain('"operationId":"createJob"');
  expect(await textOf('/llms-full.txt')).toContain('# Operations');
  expect(await textOf('/.well-known/oauth-authorization-server')).toContain('"token_endpoint"');
  const grant = new URLSearchParams({
    grant_type: 'authorization_code',
    code: 'x',
    client_id: 'y',
    code_verifier: 'z',
  });
  const tokenPath = new URL(
    JSON.parse((await textOf('/.well-known/oauth-authorization-server')).slice(4)).token_endpoint,
  );
  expect(await textOf(tokenPath.pathname, { method: 'POST', body: grant })).toMatch(/^40\d \{"error/);
});

test('MCP: the protocol library, a tool and the skill', async () => {
  const client = await connect(service, key);
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  expect((await call(client, 'get_catalog')).isError).toBe(false);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('skill://atelier/SKILL.md');
  await client.close();
});

test('a password is judged, and signs in', async () => {
  const weak = { name: 'Ada', email: 'ada@example.com', password: 'letmein1234' };
  const refused = await service.call('POST', '/api/auth/sign-up/email', { body: weak });
  expect([refused.status, refused.body.error.details[0].location]).toEqual([422, '/password']);
  const operator = {
    email: 'operator@atelier.localhost',
    password: readFileSync(join(data, 'operator-password'), 'utf8').trim(),
  };
  expect((await service.call('POST', '/api/auth/sign-in/email', { body: operator })).status).toBe(200);
});

test('posters of a PDF and of an SVG are drawn by a process with only its file and the libraries', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>';
  const files = [
    await newFile(service, key, pageThatDraws('BT /F1 90 Tf 50 400 Td (Hello) Tj ET'), {
      content_type: 'application/pdf',
    }),
    await newFile(service, key, Buffer.from(svg), { content_type: 'image/svg+xml' }),
  ];
  for (const { id } of files)
    await expect
      .poll(async () => (await service.call('GET', `/api/v1/files/${id}`, { as: key })).body.file.poster_status)
      .toBe('made');
});

test('the operators’ commands run from the bundle', async () => {
  const checked = start(['deploy/admin.js', 'check', '--json'], { DATABASE_URL: databaseUrl, DATA_DIR: data });
  expect([await checked.ended, checked.said()]).toEqual([0, expect.stringContaining('"contradictions":[]')]);
});

/** The packages in the files that a program loads before it does anything. */
function loadedAtStart(program: string): Set<string> {
  const files = new Set([program]);
  const packages = new Set<string>();
  for (const file of files) {
    const path = join(folder, 'dist/code', file);
    for (const [, next = ''] of readFileSync(path, 'utf8').matchAll(/(?:from|import) ?["'`]\.\/([^"'`]+)/g))
      files.add(next);
    if (!existsSync(`${path}.map`)) continue; // the runtime of the bundler
    const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] };
    for (const source of sources) packages.add(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? 'our own');
  }
  return packages;
}

test('a start loads no library that the first request does not need', () => {
  const loaded = loadedAtStart('main.js');
  expect([...loaded]).toEqual(expect.arrayContaining(['fastify', 'kysely', 'our own', 'pg']));
  for (const name of [
    '@aws-sdk/client-s3',
    '@better-auth/oauth-provider',
    '@modelcontextprotocol/server',
    '@opentelemetry/sdk-trace-node',
    '@redis/client',
    '@scalar/fastify-api-reference',
    '@zxcvbn-ts/core',

    'nodemailer',
    'stripe',
    'zod',
  ])
    expect(loaded).not.toContain(name);
});

test('a logged error names the file and the line of the source', async () => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('alter table templates rename to gone');
  await client.end();
  expect((await service.call('GET', '/api/v1/templates', { as: key })).status).toBe(500);
  await expect.poll(running.said).toMatch(/server\/templates\/[a-z-]+\.ts:\d+:\d+/);
});

test('without a build, and with one of other sources, it refuses to start', async () => {
  const refusal = async () => {
    const refused = start(['deploy/serve.js'], {});
    expect(await refused.ended).toBe(1);
    return refused.said();
  };
  const stamp = join(folder, 'dist/fingerprint');
  expect(existsSync(stamp)).toBe(true);
  rmSync(stamp);
  expect(await refusal()).toBe('Atelier did not start. The server must be built first. Run `npm run build`.\n');
  writeFileSync(stamp, 'of other sources');
  for (const source of ['server', 'contract', 'cli', 'client', 'web/build', 'scripts'])
    mkdirSync(join(folder, source), { recursive: true });
  for (const file of ['package-lock.json', 'scripts/bundle.ts', 'scripts/packages.ts'])
    cpSync(join(root, file), join(folder, file));
  const other = 'The server must be built from these sources. Run `npm ci && npm run build`.';
  expect(await refusal()).toBe(`Atelier did not start. ${other}\n`);
});
