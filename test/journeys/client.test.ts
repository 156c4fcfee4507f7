import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Atelier, AtelierError } from '../../client/atelier.ts';
import { version } from '../../server/lib/version.ts';
import { makeKey, signIn, signUp, type TestPerson } from '../support/people.ts';
import { grant } from '../support/plans.ts';
import { createService, type Service } from '../support/harness.ts';

let service: Service;
let person: TestPerson;
let token: string;
beforeAll(async () => {
  // Its upload addresses must lead back to it, so the port is chosen before the start.
  const spare = await answering([200]);
  spare.close();
  service = await createService({ PORT: new URL(spare.url).port, PUBLIC_URL: spare.url });
  person = await signUp(service);
  await grant(service, person, 'agent');
  token = await makeKey(service, person);
});
afterAll(() => service.close());

const draft = (customer_title = 'A logo') => ({
  service_family: 'design',
  service_type: 'logo',
  customer_title,
  customer_instructions: 'Brand name: Rise Bakery.',
});

/** A server that gives the answers in turn, the last one for ever, and remembers what it was asked. */
async function answering(...answers: [status: number, headers?: Record<string, string>][]) {
  const asked: { method: string; path: string | undefined; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const [status, headers] = answers[Math.min(asked.length, answers.length - 1)] ?? [200];
    const key = request.headers['idempotency-key'] as string | undefined;
    asked.push({ method: request.method ?? '', path: request.url, key });
    const code = status === 429 ? 'rate_limit_exceeded' : 'service_unavailable';
    const error = { code, message: 'No.', action: 'Wait.', request_id: 'req_1' };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(status < 400 ? { job: { id: 'job_1' } } : { error }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => server.close() };
}

describe('a running service', () => {
  test('a job is created, read, and found in the pages', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const made = [];
    for (let n = 0; n < 5; n++) made.push((await atelier.createJob({ body: draft(`Logo ${n}`) })).job.id);
    const found = [];
    for await (const job of atelier.eachJob({ limit: 2 })) found.push(job.id);
    expect(found).toEqual(made.toReversed());
    const { job } = await atelier.waitForJob(made[0]!, { until: ['queued'] });
    expect(job.customer_title).toBe('Logo 0');
  });

  test('the token of a review link opens what it shows, and is sent nowhere else', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const { job } = await atelier.createJob({ body: draft('Shared') });
    const { token: reviewToken } = await atelier.createReviewLink({
      path: { id: job.id },
      body: { name: 'Board', can_comment: true },
    });
    const guest = new Atelier({ url: service.url, reviewToken: reviewToken ?? '' });
    expect((await guest.readReview()).review).toMatchObject({ job_title: 'Shared', files: [] });
    expect((await guest.listGuestComments()).comments).toEqual([]);
    const headers: (string | null)[] = [];
    const watched = new Atelier({
      url: service.url,
      reviewToken: reviewToken ?? '',
      fetch: (input, init) => {
        const sent = new Request(input, init);
        headers.push(sent.headers.get('authorization') ?? sent.headers.get('cookie'));
        return fetch(sent);
      },
    });
    await watched.readReview();
    await expect(watched.listJobs()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(headers).toEqual([`Review ${reviewToken}`, null]);
    await atelier.cancelJob({ path: { id: job.id } });
  });

  test('a refusal is an error with its code, action and request id', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const refused = await atelier
      .createJob({ body: { ...draft(), customer_title: '' } })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AtelierError);
    expect(refused).toMatchObject({ status: 422, code: 'invalid_request', details: [{ location: '/customer_title' }] });
    expect((refused as AtelierError).requestId).toMatch(/^req_/);
  });

  test('withResponse gives status, headers and request id; a failure is thrown once', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const { data, status, headers, requestId } = await atelier.createJob({ body: draft() }).withResponse();
    expect([data.job.status, status]).toEqual(['queued', 201]);
    expect(headers.get('content-type')).toMatch(/json/);
    expect(requestId).toMatch(/^req_/);
    const refused = atelier.readJob({ path: { id: 'job_none' } }).withResponse();
    await expect(refused).rejects.toMatchObject({ code: 'job_not_found' });
  });

  test('the service hears the name and version of the client', async () => {
    let agent: string | undefined;
    const server = createServer((request, response) => {
      agent = request.headers['user-agent'];
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Atelier({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).readCatalog();
    expect(agent).toBe(`atelier-client/${version}`);
    server.close();
  });

  test('waiting stops when the signal aborts', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const { job } = await atelier.createJob({ body: draft() });
    const waiting = atelier.waitForJob(job.id, { signal: AbortSignal.timeout(200) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    const ended = new AbortController();
    const until = atelier.waitForJob(job.id, { signal: ended.signal });
    setTimeout(() => ended.abort(), 100);
    await expect(until).rejects.toMatchObject({ name: 'AbortError' });
    await expect(atelier.waitForJob(job.id, { signal: ended.signal })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(atelier.readMe({ signal: ended.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('waiting before the next try stops when the signal aborts', async () => {
    const server = await answering([429, { 'retry-after': '30' }]);
    const signal = AbortSignal.timeout(200);
    const asking = new Atelier({ url: server.url }).readMe({ signal });
    await expect(asking).rejects.toMatchObject({ name: 'TimeoutError' });
    server.close();
  });
});

describe('uploadFile', () => {
  const bytes = Buffer.alloc(3_000_000, 'atelier ');
  const download = async (atelier: Atelier, id: string) => {
    const { download: link } = await atelier.createDownload({ path: { id } });
    return Buffer.from(await (await fetch(link.url)).arrayBuffer());
  };

  test('a file by its path, with progress, and it can be ordered with', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-upload-'));
    writeFileSync(join(folder, 'brief.txt'), bytes);
    const atelier = new Atelier({ url: service.url, token });
    const told: number[] = [];
    const file = await atelier.uploadFile(join(folder, 'brief.txt'), { progress: (sent) => void told.push(sent) });
    expect(file).toMatchObject({
      status: 'uploaded',
      file_name: 'brief.txt',
      content_type: 'text/plain',
      size_bytes: bytes.length,
    });
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(bytes.length);
    expect((await download(atelier, file.id)).equals(bytes)).toBe(true);
    const { job } = await atelier.createJob({ body: { ...draft(), file_ids: [file.id] } });
    expect((await atelier.readJob({ path: { id: job.id } })).job.files[0]?.id).toBe(file.id);
    rmSync(folder, { recursive: true });
  });

  test('a Blob, for a job; and a type that is not taken is refused by its code', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const { job } = await atelier.createJob({ body: draft() });
    const file = await atelier.uploadFile(new Blob(['a,b\n'], { type: 'text/csv' }), {
      fileName: 'list.csv',
      jobId: job.id,
    });
    expect([file.job_id, file.content_type]).toEqual([job.id, 'text/csv']);
    const refused = atelier.uploadFile(new Blob(['MZ'], { type: 'application/x-msdownload' }), {
      fileName: 'setup.exe',
    });
    await expect(refused).rejects.toMatchObject({ status: 422, code: 'unsupported_file' });
  });

  test('again with the same key it is the same file, and its bytes are not sent twice', async () => {
    const atelier = new Atelier({ url: service.url, token });
    const [told, idempotencyKey]: [number[], string] = [[], crypto.randomUUID()];
    const upload = () =>
      atelier.uploadFile(new Blob(['hello']), {
        fileName: 'a.txt',
        idempotencyKey,
        progress: (sent) => void told.push(sent),
      });
    const file = await upload();
    expect(told).toEqual([5]);
    expect(await upload()).toEqual(file);
    expect([file.status, told]).toEqual(['uploaded', [5]]);
  });

  test('a file that is not there is named', async () => {
    const uploading = new Atelier({ url: service.url, token }).uploadFile('nope.pdf');
    await expect(uploading).rejects.toThrow('The file nope.pdf cannot be read.');
  });

  test('a PUT that breaks off is sent again', async () => {
    let broken = 0;
    const puts: string[] = [];
    const breaking = createServer((request, response) => {
      puts.push(request.method ?? '');
      if (broken++ === 0) return void request.socket.destroy();
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}/put`;
    const json = { 'content-type': 'application/json' };
    const answers = (async (input: Request) => {
      const upload = { url, headers: {}, method: 'PUT' };
      const isPresign = input.url.endsWith('/presign');
      const file = { id: 'file_1', status: isPresign ? 'pending_upload' : 'uploaded' };
      const body = isPresign ? { file, upload } : { file };
      return new Response(JSON.stringify(body), { status: 200, headers: json });
    }) as typeof fetch;
    const atelier = new Atelier({ url: 'http://atelier.example', fetch: answers });
    expect((await atelier.uploadFile(new Blob([bytes]), { fileName: 'a.txt' })).status).toBe('uploaded');
    expect(puts).toEqual(['PUT', 'PUT']);
    breaking.close();
  });
});

describe('retries', () => {
  test('a rate limit is waited out as Retry-After says, with the same key', async () => {
    const server = await answering([429, { 'retry-after': '1' }], [201]);
    const began = Date.now();
    await new Atelier({ url: server.url }).createJob({ body: draft() });
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
    expect(server.asked.length).toBe(2);
    expect(server.asked[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.asked[1]?.key).toBe(server.asked[0]?.key);
    server.close();
  });

  test('a longer wait than the caller has patience for is an error at once, which says how long', async () => {
    const server = await answering([429, { 'retry-after': '2685' }]);
    const began = Date.now();
    const refused = { code: 'rate_limit_exceeded', status: 429, retryAfterSeconds: 2685 };
    await expect(new Atelier({ url: server.url }).readMe()).rejects.toMatchObject(refused);
    expect(server.asked.length).toBe(1);
    const hasty = new Atelier({ url: server.url, maxWaitSeconds: 2684 });
    await expect(hasty.createJob({ body: draft() })).rejects.toMatchObject(refused);
    expect(Date.now() - began).toBeLessThan(60_000);
    server.close();
  });

  test('below a path of a host, too, what takes an Idempotency-Key gets one', async () => {
    const server = await answering([201]);
    await new Atelier({ url: `${server.url}/atelier/` }).createJob({ body: draft() });
    expect(server.asked).toMatchObject([
      { path: '/atelier/api/v1/jobs', key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
    server.close();
  });

  test('a 503 is tried again where nothing can happen twice, and not elsewhere', async () => {
    const server = await answering([503, { 'retry-after': '1' }]);
    const atelier = new Atelier({ url: server.url, token: 'a-token', retries: 1 });
    await expect(atelier.readMe()).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(server.asked.length).toBe(2);
    await expect(atelier.startPortal()).rejects.toMatchObject({ status: 503 });
    expect(server.asked.length).toBe(3);
    server.close();
  });

  test('a 503 that asks to try again soon is repeated for as long as the caller has patience', async () => {
    const soon: [number, Record<string, string>] = [503, { 'retry-after': '1' }];
    const recovering = await answering(soon, soon, soon, soon, soon, [201]);
    await new Atelier({ url: recovering.url }).createJob({ body: draft() });
    expect(new Set(recovering.asked.map(({ key }) => key)).size).toBe(1);
    expect(recovering.asked.length).toBe(6);
    recovering.close();
    const down = await answering(soon);
    const began = Date.now();
    const hasty = new Atelier({ url: down.url, maxWaitSeconds: 5 });
    await expect(hasty.createJob({ body: draft() })).rejects.toMatchObject({ status: 503 });
    expect(Date.now() - began).toBeGreaterThan(3_000);
    expect(down.asked.length).toBeGreaterThanOrEqual(4);
    down.close();
  });

  test('a service that takes the connection and says nothing is lost after the timeout, and asked again', async () => {
    let asked = 0;
    const json = { 'content-type': 'application/json' };
    const server = createServer((_request, response) => {
      asked++;
      if (asked === 2) response.writeHead(200, json).write('{"account":'); // and no more
      if (asked === 3) response.writeHead(200, json).end('{"account":{"id":"acct_1"}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const atelier = new Atelier({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      timeoutSeconds: 1,
    });
    expect((await atelier.readMe()).account.id).toBe('acct_1');
    expect(asked).toBe(3);
    asked = 0;
    const once = atelier.readMe({ retries: 0, timeoutSeconds: 0.1 });
    await expect(once).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The service did not answer within 0.1 seconds.',
    });
    expect(asked).toBe(1);
    server.closeAllConnections();
    server.close();
  });

  test('a long poll may take ten seconds more', async () => {
    const server = createServer((_request, response) => void setTimeout(() => response.end('{"events":[]}'), 3_000));
    server.prependListener('request', (_request, response) => response.setHeader('content-type', 'application/json'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const atelier = new Atelier({ url, timeoutSeconds: 1, retries: 0 });
    await expect(atelier.readMe()).rejects.toMatchObject({ code: 'unreachable' });
    expect((await atelier.listEvents({ query: { wait: 25 } })).events).toEqual([]);
    server.close();
  });

  test('a call has its own number of tries and its own key', async () => {
    const server = await answering([503, { 'retry-after': '1' }]);
    const atelier = new Atelier({ url: server.url });
    const once = atelier.createJob({ body: draft(), retries: 0, idempotencyKey: 'mine-1' });
    await expect(once).rejects.toMatchObject({ status: 503 });
    expect(server.asked).toMatchObject([{ key: 'mine-1' }]);
    server.close();
  });

  test('a service that cannot be reached is an error with the code unreachable', async () => {
    const server = await answering([200]);
    server.close();
    const atelier = new Atelier({ url: server.url, retries: 1 });
    await expect(atelier.readCatalog()).rejects.toMatchObject({ code: 'unreachable', status: 0 });
  });
});

describe('the cookie of a browser', () => {
  /** A browser on a page of the service: sends the cookie, and what browsers say about where a request comes from. */
  const browser = (cookie: () => string, asked: string[] = []) =>
    (async (input: Request) => {
      const request = new Request(input);
      for (const [name, value] of Object.entries({
        cookie: cookie(),
        origin: service.url,
        'sec-fetch-site': 'same-origin',
      }))
        request.headers.set(name, value);
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    }) as typeof fetch;

  test('a request that needs a CSRF token gets it: read once, and again after another sign-in', async () => {
    const asked: string[] = [];
    let { cookie } = person;
    const atelier = new Atelier({ url: service.url, fetch: browser(() => cookie, asked) });
    const { api_key } = await atelier.createApiKey({ body: { name: 'one' } });
    await atelier.deleteApiKey({ path: { id: api_key.id } });
    await atelier.listJobs();
    const made = ['POST /api/v1/api-keys', `DELETE /api/v1/api-keys/${api_key.id}`, 'GET /api/v1/jobs'];
    expect(asked.splice(0)).toEqual(['GET /api/v1/me', ...made]);

    ({ cookie } = await signIn(service, person.email));
    const { intake_session: session } = await atelier.openIntake({ body: { service_family: 'design' } });
    expect(session.status).toBe('open');
    const opening = 'POST /api/v1/intake/sessions';
    expect(asked).toEqual([opening, 'GET /api/v1/me', opening]);
  });

  test('requests of one moment ask for one token', async () => {
    const asked: string[] = [];
    const atelier = new Atelier({ url: service.url, fetch: browser(() => person.cookie, asked) });
    await Promise.all(['a', 'b', 'c'].map((name) => atelier.createApiKey({ body: { name } })));
    expect(asked).toEqual(['GET /api/v1/me', ...Array.from({ length: 3 }, () => 'POST /api/v1/api-keys')]);
  });

  test('a token that is given is used as it is, and a bearer needs none', async () => {
    const asked: string[] = [];
    const atelier = new Atelier({ url: service.url, fetch: browser(() => person.cookie, asked) });
    const headers = { 'x-service-csrf-token': 'wrong' };
    const refused = atelier.createApiKey({ body: { name: 'two' }, headers });
    await expect(refused).rejects.toMatchObject({ code: 'csrf_token_invalid', status: 403 });
    const bearer = new Atelier({ url: service.url, token: person.token, fetch: browser(() => person.cookie, asked) });
    await bearer.createApiKey({ body: { name: 'two' } });
    expect(asked).toEqual(['POST /api/v1/api-keys', 'POST /api/v1/api-keys']);
  });

  test('nobody signed in is 401 unauthenticated', async () => {
    const atelier = new Atelier({ url: service.url, fetch: browser(() => 'none=1') });
    await expect(atelier.createApiKey({ body: { name: 'three' } })).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

// Asynchronous, because the service that the program asks runs in this very process.
const run = promisify(execFile);

test('packed and installed into an empty folder it creates a job', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-pack-'));
  const client = join(import.meta.dirname, '../../client');
  const { stdout: packed } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: client });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const file = `./${packed.trim().split('\n').at(-1)}`;
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file, join(client, '../node_modules/yaml')], {
    cwd: folder,
  });
  const program = `
    import { Atelier } from 'atelier-client';
    const atelier = new Atelier({ url: '${service.url}', token: process.env.TOKEN });
    const { job } = await atelier.createJob({ body: ${JSON.stringify(draft('From the package'))} });
    const { verifyWebhook } = await import('atelier-client/webhook');
    console.log(job.status, typeof verifyWebhook);`;
  writeFileSync(join(folder, 'order.js'), program);
  const { stdout } = await run(process.execPath, ['order.js'], { cwd: folder, env: { ...process.env, TOKEN: token } });
  expect(stdout.trim()).toBe('queued function');

  const home = join(folder, 'node_modules/atelier-client');
  expect(readdirSync(home)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'openapi.json']));
  // What a bundler for browsers could not find; the command line runs in Node alone.
  for (const name of readdirSync(join(home, 'dist'), { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.js') && !name.startsWith('cli'))
      expect(readFileSync(join(home, 'dist', name), 'utf8'), name).not.toMatch(/(from|import)\s*\(?\s*['"](?!\.)/);

  // The program of its README, under the strictest rules that an optional field can meet.
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(home, 'README.md'), 'utf8')) ?? [];
  const declared = 'declare const process: { env: Record<string, string | undefined> };\n';
  writeFileSync(join(folder, 'readme.ts'), `${declared}${example}`);
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const rules = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  await run(tsc, [...rules, '--types', '', '--module', 'nodenext', '--noEmit', 'readme.ts'], { cwd: folder }).catch(
    (fault: { stdout: string }) => expect(fault.stdout).toBe(''),
  );
  rmSync(folder, { recursive: true });
});
