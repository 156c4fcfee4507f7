import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';
import { freePort } from '../faults/process.ts';
import { newCustomer, newJob, post } from '../support/jobs.ts';
import { makeOperator } from '../support/people.ts';
import { createService, type Service } from '../support/harness.ts';

/** The examples of the reference, run as they stand in what the service serves. */

const run = promisify(execFile);
let service: Service;
let folder: string;
let engine: DeliveryEngine;
beforeAll(async () => {
  // The examples lead to the public address, so the port is chosen before the start.
  const spare = createServer().listen(0, '127.0.0.1');
  await once(spare, 'listening');
  const { port } = spare.address() as AddressInfo;
  spare.close();
  service = await createService({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_ALLOW: '127.0.0.1',
  });
  engine = new DeliveryEngine(service.context);
  await verifyPrices(service.context);
  folder = mkdtempSync(join(tmpdir(), 'atelier-guide-'));
});
afterAll(async () => {
  await engine.stop();
  await service.close();
  rmSync(folder, { recursive: true });
});

const read = async (path: string) => (await fetch(service.url + path)).text();

/** The code of a chapter in one language, block after block. */
async function examples(chapter: string, language: string): Promise<string[]> {
  const text = await read(`/docs/${chapter}.md`);
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, code]) =>
    of === language ? [code ?? ''] : [],
  );
}

const shell = (code: string) => run('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder });

describe('a customer', () => {
  test('comes from nothing to a job, and to one with a file, by what is pasted from two chapters', async () => {
    const [account = '', job = '', approve = ''] = await examples('getting-started', 'sh');
    const [upload = '', download = ''] = await examples('files', 'sh');
    const { stdout: ordered } = await shell([account, job, 'echo "key $KEY job $JOB"'].join('\n'));
    const [, KEY = '', JOB = ''] = /key (\S+) job (\S+)/.exec(ordered) ?? [];
    for (const said of ['"status":"active"', '"ready":true', '"ready_to_create":true', `"id":"${JOB}"`])
      expect(ordered).toContain(said);

    const given = `BASE=${service.url} KEY=${KEY} JOB=${JOB}\n${/^pick.*$/m.exec(account)?.[0]}\n`;
    const { stdout: sent } = await shell(given + upload + download);
    const withFile = /"job":\{"id":"(job_\w+)"/.exec(sent)?.[1];
    const { body } = await service.call('GET', `/api/v1/jobs/${withFile}`, { as: KEY });
    expect(body.job.files).toMatchObject([{ file_name: 'brief.txt', status: 'uploaded', size_bytes: 12 }]);
    expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('Rise Bakery\n');

    const { token } = await makeOperator(service);
    const work = { message: 'The first draft.' };
    for (const move of ['accept', 'start', 'submit', 'pass']) {
      const body = move === 'submit' ? work : {};
      expect((await post(service, token, `/api/operator/v1/jobs/${JOB}/${move}`, body)).status).toBe(200);
    }
    const [link = '', look = ''] = await examples('review-links', 'sh');
    expect((await shell(given + link + look)).stdout).toContain('"round":0');
    expect((await shell(given + approve)).stdout).toContain('"status":"completed"');
  });
});

describe('a worker', () => {
  test('in at most 30 lines', async () => {
    const [code = ''] = await examples('the-desk', 'ts');
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });

  test('does five jobs, and each customer gets a file', async () => {
    const [code = ''] = await examples('the-desk', 'ts');
    writeFileSync(join(folder, 'worker.ts'), code);
    const { key } = await newCustomer(service, 'studio');
    const made = [];
    for (let n = 0; n < 5; n++) made.push(await newJob(service, key));
    const operator = await makeOperator(service);
    const keyOf = await post(service, operator.token, '/api/operator/v1/worker-keys', { name: 'from the guide' });
    const env = { ...process.env, WORKER_KEY: keyOf.body.plaintext_key };
    const worker = spawn(process.execPath, ['worker.ts'], { cwd: folder, env, stdio: 'inherit' });
    const reading = (id: string) => service.call('GET', `/api/v1/jobs/${id}`, { as: key });
    for (const id of made) {
      while ((await reading(id)).body.job.status !== 'needs_review') await wait(50);
      expect((await post(service, operator.token, `/api/operator/v1/jobs/${id}/pass`)).status).toBe(200);
      const { job } = (await reading(id)).body;
      expect(job.files).toMatchObject([{ uploaded_by: 'studio', file_name: 'work.md' }]);
      const { body } = await post(service, key, `/api/v1/files/${job.files[0].id}/download`);
      expect(await (await fetch(body.download.url)).text()).toBe(`# ${job.customer_title}\n`);
    }
    worker.kill();
    await once(worker, 'exit');
  });
});

/** A program that runs until the test ends; what it printed so far. */
function start(command: string, args: string[], env: Record<string, string>) {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, detached: true });
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (part) => (text += part));
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  return () => text;
}

const within = { timeout: 30_000 };

describe('a reader of events', () => {
  test('reads from a cursor, waits, and follows the stream by what is pasted', async () => {
    const { key } = await newCustomer(service, 'studio');
    const id = await newJob(service, key);
    const [code = ''] = await examples('events', 'sh');
    const lines = start('bash', ['-c', `BASE=${service.url} KEY=${key}\n${code}`], {});
    await vi.waitFor(() => expect(lines()).toContain(id), within);
    await wait(1_000);
    expect(lines().match(/"latest"/g)).toHaveLength(1);
    const next = await newJob(service, key);
    await vi.waitFor(() => expect(lines()).toContain('event: open'), within);
    const last = await newJob(service, key);
    await vi.waitFor(() => expect(lines()).toContain(last), within);
    const [page, waited = '', ...stream] = lines().split(/(?<=\})(?=\{"events")|(?<=\})(?=event: open)/);
    expect(JSON.parse(page!).events).toMatchObject([{ type: 'job.created', job: { id } }]);
    expect(JSON.parse(waited).events).toMatchObject([{ type: 'job.created', job: { id: next } }]);
    expect(stream.join('')).toMatch(/^event: open\nretry: 2000\ndata: \{"latest":\d+\}\n\nid: 1\n/);
  });

  test('follows with the client, and goes on from the seq that it kept', async () => {
    const { key } = await newCustomer(service, 'studio');
    const [code = ''] = await examples('events', 'js');
    const client = join(import.meta.dirname, '../../client/atelier.ts');
    writeFileSync(join(folder, 'follow.mjs'), code.replace("'atelier-client'", JSON.stringify(client)));
    const after = (await service.call('GET', '/api/v1/events', { as: key })).body.latest;
    const printed = start(process.execPath, ['follow.mjs'], { KEY: key, AFTER: String(after) });
    const id = await newJob(service, key);
    await vi.waitFor(() => expect(printed()).toBe(`${after + 1} job.created ${id}\n`), within);
  });
});

describe('a receiver of webhooks', () => {
  const languages = [
    ['js', process.execPath, 'receiver.mjs'],
    ['python', 'python3', 'receiver.py'],
  ] as const;

  test.each(languages)(
    'in %s, in at most 15 lines: gets a test and a job, each once',
    async (language, command, file) => {
      const [code = ''] = await examples('webhooks', language);
      expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
      writeFileSync(join(folder, file), code);
      const { person, key } = await newCustomer(service, 'studio');
      const port = String(await freePort());
      const [make = '', send = ''] = (await examples('webhooks', 'sh')).map((block) => block.replaceAll('8787', port));
      const [account = ''] = await examples('getting-started', 'sh');
      const given = `BASE=${service.url} TOKEN=${person.token}\n${/^pick.*$/m.exec(account)?.[0]}\n`;
      const { stdout: made } = await shell(given + make);
      const secret = JSON.parse(made).secret as string;
      const printed = start(command, [file], { WEBHOOK_SECRET: secret, PORT: port });
      await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), within);
      const { stdout: sent } = await shell(`${given}ENDPOINT='${made}'\n${send}`);
      expect(sent).toContain('"type":"webhook_endpoint.test"');
      await vi.waitFor(() => expect(printed()).toContain('webhook_endpoint.test'), within);
      const id = await newJob(service, key);
      await vi.waitFor(() => expect(printed()).toContain(id), within);

      const post = async (headers: Record<string, string>, body: string) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      const signed = (seconds: number) => {
        const at = new Date(Date.now() - seconds * 1000);
        const stamp = String(Math.floor(at.getTime() / 1000));
        const signature = new Webhook(secret).sign('evt_x', at, '{"data":{"once":"only"}}');
        return { 'webhook-id': 'evt_x', 'webhook-timestamp': stamp, 'webhook-signature': `v1a,x ${signature}` };
      };
      const answers = [];
      for (const [headers, body] of [
        [signed(0), '{"data":{"once":"only"}}'],
        [signed(0), '{"data":{"once":"only"}}'],
        [signed(0), '{"data":{"once":"more"}}'],
        [signed(600), '{"data":{"once":"only"}}'],
        [{ ...signed(0), 'webhook-signature': 'v1,é' }, '{"data":{"once":"only"}}'],
        [{}, '{}'],
      ] as const)
        answers.push(await post(headers, body));
      expect(answers).toEqual([204, 204, 401, 401, 401, 401]);
      expect(printed().match(/only/g)).toHaveLength(1);
    },
  );
});

describe('/docs.md', () => {
  test('tells the bounds and defaults of the contract', async () => {
    const text = await read('/docs.md');
    expect(text).toContain('`limit` (optional): integer (1 to 100, default 25)');
    expect(text).toContain('`lease_seconds` (optional): integer (5 to 3600, default 300)');
    expect(text).toContain('`retention_days` (optional): integer (1 to 365, default 90)');
    expect(text).toContain('`purpose`: "job_source" or "job_reference" or "job_deliverable"');
    expect(text).toContain('string (1 to 20000 code points');
    expect(text).toContain('string (date-time)');
  });

  test('tells what is posted to a webhook endpoint, and which fields within another may be missing', async () => {
    const text = await read('/docs.md');
    expect(text).toContain('(receiveEvent)');
    for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(text).toContain(`Header \`${header}\`: `);
    expect(text).toContain('Body: `{ type: EventType, timestamp: string (date-time), data: AccountEvent }`');
    expect(text).toContain('### WebhookBody\n');
    expect(text).toContain('- `data`: EventData.');
    expect(text).toMatch(/### EventData\n[^#]*- `file_id` \(optional\): string/);
    expect(text).toMatch(/### EventJob\n[^#]*- `id`: string/);
  });

  test('tells the rates with the settings that change them, and the bounds of files', async () => {
    const text = await read('/docs.md');
    expect(text).toContain('`RATE_CREATE_JOB=account=60/60,key=30/60`');
    expect(text).toContain('10 per 60 s by address and e-mail');
    for (const bound of ['| 15 minutes |', '| 5 minutes |', '| 100; ', '| 10 GiB; ', '100 MiB'])
      expect(text).toContain(bound);
  });

  test('names the address that it is served for, and no other', async () => {
    const text = await read('/docs.md');
    expect(text).not.toContain('{{');
    expect([...text.matchAll(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g)].map(([url]) => url)).toEqual(
      expect.arrayContaining([service.url]),
    );
    const receiver = /(WEBHOOK_ALLOW=|listen\(.*'|\(\('|http:\/\/)127\.0\.0\.1(?=['): ]|:8787)/g; // on the reader's own machine
    const redirect =
      /(?:[`'"]|--redirect-uri )http:\/\/(127\.0\.0\.1|localhost)(:8787)?(\/((oauth\/)?callback)?)?[`'"]/g; // of programs there
    expect(text.replaceAll(service.url, '').replaceAll(receiver, '').replaceAll(redirect, '')).not.toMatch(
      /https?:\/\/(127\.0\.0\.1|localhost)/,
    );
  });
});
