import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { startService } from './running-service.ts';

/**
 * `npm run bench`: requests per second of create and read over 64 connections, beside two limits of the same run: what this
 * Node answers at all (`/healthz`), and what this Postgres commits durably, one row a commit. Read the ratios; the machine
 * decides the rest. The generator shares the machine with the service, so the figures are low rather than high.
 */

const connections = 64;
const seconds = Number(process.env.SECONDS ?? 5);
const service = await startService();
const agent = new Agent({ keepAlive: true, maxSockets: connections });

type Asked = { method: 'GET' | 'POST'; path: string; token?: string; key?: string; body?: string };

const ask = ({ method, path, token, key, body }: Asked): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    };
    const sent = request({ host: '127.0.0.1', port: service.port, method, path, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** How often a second `one` is done by `connections` at once; a first second is not counted. */
async function perSecond(one: () => Promise<void>): Promise<number> {
  let done = 0;
  const begin = Date.now() + 1_000;
  const end = begin + seconds * 1_000;
  const loop = async () => {
    while (Date.now() < end) {
      await one();
      if (Date.now() >= begin && Date.now() < end) done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return Math.round(done / seconds);
}

async function expecting(status: number, asked: Asked): Promise<string> {
  const got = await ask(asked);
  if (got.status !== status) throw new Error(`${asked.method} ${asked.path} answered ${got.status}: ${got.text}`);
  return got.text;
}

async function durableCommits(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  await pool.query('create table if not exists bench_commits (id uuid primary key, words text)');
  const rate = await perSecond(async () => {
    await pool.query('insert into bench_commits values ($1, $2)', [randomUUID(), 'x'.repeat(300)]);
  });
  await pool.query('drop table bench_commits');
  await pool.end();
  return rate;
}

try {
  const token = service.key;
  const body = JSON.stringify({
    service_family: 'design',
    service_type: 'logo',
    customer_title: 'Logo for a neighbourhood bakery',
    customer_instructions: `Brand name: Rise Bakery. Target audience: families. ${'Warm and simple. '.repeat(15)}`,
  });
  const create: Asked = { method: 'POST', path: '/api/v1/jobs', token, body };
  const first = JSON.parse(await expecting(201, create)) as { job: { id: string } };
  const read: Asked = { method: 'GET', path: `/api/v1/jobs/${first.job.id}`, token };

  const rates = {
    healthz: await perSecond(async () => void (await expecting(200, { method: 'GET', path: '/healthz' }))),
    commits: await durableCommits(service.databaseUrl),
    read: await perSecond(async () => void (await expecting(200, read))),
    create: await perSecond(async () => void (await expecting(201, { ...create, key: randomUUID() }))),
  };
  const row = (name: string, rate: number, limit: number, of: string) =>
    console.log(`${name.padEnd(34)} ${String(rate).padStart(7)}/s   ${(rate / limit).toFixed(2)} of ${of}`);
  console.log(`${connections} connections, ${seconds} s each, one account\n`);
  row('limit: GET /healthz', rates.healthz, rates.healthz, 'itself');
  row('limit: durable one-row commits', rates.commits, rates.commits, 'itself');
  row('GET /api/v1/jobs/{id}', rates.read, rates.healthz, 'GET /healthz');
  row('POST /api/v1/jobs', rates.create, rates.commits, 'durable commits');
} finally {
  agent.destroy();
  await service.close();
}
