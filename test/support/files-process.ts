import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/start/config.ts';
import { createContext } from '../../server/start/context.ts';

/**
 * A process of the service on the test's database. It asks itself with the key `KEY` for the job `DRAFT`, and
 * prints the files of the service and the contract of which a function ran between a request and its answer.
 * Without Vitest, whose modules call a function for each name that they import.
 */
const config = readConfig({ PUBLIC_URL: 'http://localhost:3000', ...process.env });
const context = await createContext(config, config.databaseUrl ?? '', pino({ level: 'silent' }));
const app = await createApp(context);
const origin = await app.listen({ host: config.host, port: config.port });
const coverage = new Session();
coverage.connect();
await coverage.post('Profiler.enable');
await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const draft = JSON.parse(process.env.DRAFT ?? '') as object;
const root = join(import.meta.dirname, '../..');

/** Since this was last asked. */
async function filesThatRan(): Promise<string[]> {
  const { result } = await coverage.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((file) => /^(?:server|contract)\//.test(file));
}

async function ask(path: string, body?: object): Promise<{ id: string }> {
  const response = await fetch(origin + path, {
    headers: { authorization: `Bearer ${process.env.KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { job: { id: string } }).job;
}

/** What runs in each of several requests: a timer or a first use does not. */
async function filesOf(path: string, body?: object): Promise<string[]> {
  const rounds: string[][] = [];
  for (let round = 0; round < 5; round++) {
    await filesThatRan();
    await ask(path, body);
    rounds.push(await filesThatRan());
  }
  const [first = [], ...others] = rounds;
  return first.filter((file) => others.every((files) => files.includes(file))).toSorted();
}

const create = await filesOf('/api/v1/jobs', draft);
const { id } = await ask('/api/v1/jobs', draft);
const read = await filesOf(`/api/v1/jobs/${id}`);
process.stdout.write(JSON.stringify({ create, read }));
await app.close();
await context.close();
