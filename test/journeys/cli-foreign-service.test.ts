import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';
import { Atelier } from '../../client/atelier.ts';
import { runToEnd } from '../support/command-line.ts';

/** The command line against services that it must not trust. */

type Asked = { path: string; key: string | undefined; body: string };
type Answer = { status?: number; headers?: Record<string, string>; body?: string };

async function createStranger() {
  const asked: Asked[] = [];
  const stranger = { url: '', asked, answer: (): Answer => ({}), close: () => void server.close() };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const one = { path: request.url ?? '', key: request.headers.authorization, body: await text(request) };
    asked.push(one);
    const { status = 200, headers = {}, body = '{}' } = stranger.answer();
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stranger.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return stranger;
}

type Stranger = Awaited<ReturnType<typeof createStranger>>;
let service: Stranger;
let stranger: Stranger;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  [service, stranger] = [await createStranger(), await createStranger()];
  folder = mkdtempSync(join(tmpdir(), 'atelier-foreign-'));
  mkdirSync(join(folder, 'atelier'));
  const profiles = {
    default: { url: service.url, key: 'atl_saved' },
    late: { url: service.url, key: 'ato_late', refresh: 'atf_late', expires: 0 },
    lan: { url: 'http://studio.lan', key: 'atl_lan' },
  };
  writeFileSync(join(folder, 'atelier/profiles.json'), JSON.stringify(profiles));
});
beforeEach(() => {
  env = { XDG_CONFIG_HOME: folder };
});
afterEach(() => {
  for (const one of [service, stranger]) {
    one.asked.length = 0;
    one.answer = () => ({});
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const one of [service, stranger]) one.close();
});

/** What is printed, errors too, and the exit code. */
async function atelier(...words: string[]) {
  const { out, err, code } = await runToEnd(run, words, { env, cwd: process.cwd() });
  return { out: out + err, code };
}

const withKey = [
  ['whoami'],
  ['jobs'],
  ['job', 'job_1'],
  ['watch', 'job_1'],
  ['usage'],
  ['approve', 'job_1', '--yes'],
  ['revise', 'job_1', 'Greener', '--yes'],
  ['cancel', 'job_1', '--yes'],
  ['chat', 'design'],
  ['download', 'file_1'],
  ['upload', 'package.json'],
  ['create', '--family', 'design', '--type', 'logo', '--title', 'A', '--instructions', 'B'],
  ['preflight', '--family', 'design', '--type', 'logo', '--title', 'A', '--instructions', 'B'],
  ['api', 'listJobs'],
  ['mcp'],
];

describe('a saved key', () => {
  test.each(withKey)('%s: goes to no other address, by option or by variable', async (...words) => {
    const refused = { code: 3, out: expect.stringMatching(/saved key of the profile default is for .* ATELIER_KEY/s) };
    expect(await atelier(...words, '--url', stranger.url)).toMatchObject(refused);
    env['ATELIER_URL'] = stranger.url;
    expect(await atelier(...words)).toMatchObject(refused);
    expect([service.asked, stranger.asked]).toEqual([[], []]);
  });

  test('public operations of another address get no key', async () => {
    stranger.answer = () => ({ body: '{"service_families":[]}' });
    await atelier('catalog', '--url', stranger.url);
    await atelier('api', 'readCatalog', '--url', stranger.url);
    expect(stranger.asked.map(({ key }) => key)).toEqual([undefined, undefined]);
  });

  test.each([429, 500, 503])('a login that cannot be renewed now, %i, has not ended', async (status) => {
    service.answer = () => ({ status });
    const { out, code } = await atelier('whoami', '--profile', 'late');
    expect(out).toMatch(/could not renew the login now\..*Try again in a moment\./s);
    expect([code, service.asked.map(({ path }) => path)]).toEqual([status === 429 ? 6 : 7, ['/api/auth/oauth2/token']]);
  });

  test('goes to its own address, however that is written', async () => {
    for (const url of [service.url, `${service.url}/`, service.url.replace('http', 'HTTP')])
      await atelier('api', 'readMe', '--url', url);
    expect(service.asked.map(({ key }) => key)).toEqual(Array(3).fill('Bearer atl_saved'));
  });

  test('ATELIER_KEY goes to the address of --url where ATELIER_URL names none', async () => {
    env['ATELIER_KEY'] = 'atl_other';
    await atelier('api', 'readMe', '--url', stranger.url);
    expect(stranger.asked[0]?.key).toBe('Bearer atl_other');
  });

  test('ATELIER_KEY is for ATELIER_URL: --url sends it nowhere else', async () => {
    Object.assign(env, { ATELIER_KEY: 'atl_other', ATELIER_URL: `${service.url}/` });
    await atelier('api', 'readMe', '--url', service.url);
    expect(service.asked[0]?.key).toBe('Bearer atl_other');
    const refused = await atelier('whoami', '--url', stranger.url);
    expect([refused.code, refused.out]).toEqual([3, expect.stringMatching(/ATELIER_KEY is for .* ATELIER_URL/s)]);
    expect(stranger.asked).toEqual([]);
  });

  test.each([
    ['JSON of another program', { body: '{"message":"hello"}' }, 7],
    ['a list', { body: '[]' }, 7],
    ['nothing', { body: '' }, 7],
    ['a page', { body: '<p>', headers: { 'content-type': 'text/html' } }, 7],
    ['404 of another program', { status: 404, body: '{"message":"Not Found"}' }, 7],
  ])('whoami at an address that answers %s: it is no Atelier', async (_, answer, exit) => {
    env['ATELIER_KEY'] = 'atl_other';
    stranger.answer = () => answer;
    const { code, out: said } = await atelier('whoami', '--url', stranger.url);
    expect([code, said]).toEqual([exit, expect.stringMatching(/no Atelier|not as Atelier does/)]);
    expect(said).toContain('unreachable');
  });

  test.each([
    ['login', 'atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['job', 'job_1', 'https://x.example/?key=atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['jobs', '--limit', '1', '--atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['api', 'atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['whoami', '--url', 'atl_k3j9x2mp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zaB3dE6gH9'],
    ['watch', 'job_1', 'whsec_bWluZW1pbmVtaW5lbWluZQ=='],
  ])('%s %s: a key among the arguments is not repeated', async (...words) => {
    for (const more of [[], ['--json']]) {
      const { code, out: said } = await atelier(...words, ...more);
      expect(code).not.toBe(0);
      expect(said).toContain('[key]');
      expect(said).not.toMatch(/aB3dE6gH9|bWluZW1pbmU/);
    }
  });

  test.each([
    ['of a profile', ['whoami', '--profile', 'lan'], {}],
    ['of the environment', ['whoami', '--url', 'http://192.168.0.7:3000'], { ATELIER_KEY: 'atl_other' }],
    [
      'of a host that begins like loopback',
      ['whoami', '--url', 'http://127.evil.example'],
      { ATELIER_KEY: 'atl_other' },
    ],
    ['that is typed', ['login', '--url', 'http://studio.lan'], {}],
    ['for MCP', ['mcp', '--profile', 'lan'], {}],
  ])('a key %s is not sent over plain http to another machine', async (_, words, own) => {
    Object.assign(env, own);
    const { code, out } = await atelier(...words);
    expect([code, out]).toEqual([2, expect.stringContaining('No key is sent to http://')]);
  });
});

describe('a draft that begins with @', () => {
  const secret = () => join(folder, 'secret.txt');
  const sent = () =>
    JSON.parse(service.asked.findLast(({ body }) => body !== '')?.body ?? '{}').customer_instructions as string;
  beforeAll(() => writeFileSync(secret(), 'the secret'));

  test.each([
    ['front matter', 'draft.md', (path: string) => `---\nfamily: design\ntype: logo\ntitle: A\n---\n@${path}`],
    [
      'JSON',
      'draft.json',
      (path: string) => JSON.stringify({ family: 'design', type: 'logo', title: 'A', instructions: `@${path}` }),
    ],
    [
      'JSON of the API',
      'api.json',
      (path: string) =>
        JSON.stringify({
          service_family: 'design',
          service_type: 'logo',
          customer_title: 'A',
          customer_instructions: `@${path}`,
        }),
    ],
  ])('in a file, as %s: is text, and no file is read', async (_, name, contents) => {
    const file = join(folder, name);
    writeFileSync(file, contents(secret()));
    for (const command of ['check', 'preflight', 'create']) {
      await atelier(command, '--file', file);
      expect([command, sent()]).toEqual([command, `@${secret()}`]);
    }
  });

  test('the flag reads the file, once: a file that begins with @ is text', async () => {
    const letter = join(folder, 'letter.txt');
    writeFileSync(letter, `@${secret()}`);
    const flags = ['--family', 'design', '--type', 'logo', '--title', '@alice'];
    await atelier('check', ...flags, '--instructions', `@${letter}`);
    expect(sent()).toBe(`@${secret()}`);
    expect(JSON.parse(service.asked.findLast(({ body }) => body !== '')!.body).customer_title).toBe('@alice');
  });
});

/** Clears the screen, rings, C1 clears it in some terminals, turns the direction, is invisible. */
const signs = '\u001b[2J\u0007\u009b2J\u202e\u2066\u200b\u{e0041}';
const bad = `x${signs}y`;

/** Every text of an answer of this shape is hostile. */
const hostile = (shape: unknown): unknown =>
  typeof shape === 'string'
    ? bad
    : Array.isArray(shape)
      ? shape.map(hostile)
      : shape && typeof shape === 'object'
        ? Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, hostile(value)]))
        : shape;

const job = {
  id: '',
  status: '',
  customer_title: '',
  created_at: '',
  reference: '',
  metadata: { '': '' },
  allowed_actions: [''],
  reason: { code: '', message: '' },
  waiting_on: '',
  due_at: '',
  review_due_at: '',
  revisions: { used: '', included: '' },
  due_round: '',
  deliveries: [{ round: '', message: '', file_ids: [''], released_at: '' }],
  due_date_changes: [{ event_id: '', reason: '', created_at: '' }],
  files: [{ id: '', uploaded_by: '', purpose: '', status: '', file_name: '' }],
};
const message = {
  id: '',
  author: { kind: '', name: '' },
  text: '',
  file_ids: [''],
  question: true,
  answered_at: null,
  closed_at: null,
  created_at: '',
  withdrawn_at: null,
};
const comment = {
  number: 1,
  round: 0,
  author: { kind: '', name: '' },
  file_name: '',
  at: '',
  text: '',
  sent_at: '',
  done_at: '',
  done_note: '',
  replies: [{ author: { kind: 'guest', name: '' }, text: '' }],
};
/** Of which the command line has something to say. */
const entitlements = [{ name: '', status: 'past_due', ends_at: null, paid_until: '', period: { end: '' } }];

const answers: [string[], object][] = [
  [
    ['whoami'],
    {
      account: { id: '', name: '' },
      auth: { api_key: { prefix: '' } },
      scopes: [''],
      entitlement_summary: { plan_codes: [''], paused: [''], past_due: [''] },
      entitlements,
    },
  ],
  [
    ['catalog'],
    {
      service_families: [
        {
          id: '',
          name: '',
          service_options: [{ id: '', name: '', intake_requirements: [{ label: '', choices: [''] }] }],
          intake_requirements: [''],
        },
      ],
    },
  ],
  [['jobs'], { jobs: [job], next_cursor: null }],
  [
    ['job', 'job_1'],
    {
      job,
      events: [{ id: '', created_at: '', type: '', message: '', data: {} }],
      revision: { comments: [comment] },
      messages: [message],
      next_cursor: null,
    },
  ],
  [['messages', 'job_1'], { messages: [message], next_cursor: null }],
  [['approve', 'job_1', '--yes'], { job, next_action: '' }],
  [
    ['usage'],
    {
      entitlement_summary: { plan_codes: [''], paused: [''], past_due: [''] },
      entitlements,
      usage: {
        period: { start: '', end: '' },
        totals: { unit: '', quantity: 1, quota: 1, remaining: 1 },
        summaries: {
          by_entitlement: [{ key: '', quantity: 1, quota: 1, remaining: 1 }],
          by_service_family: [{ key: '', quantity: 1 }],
          by_api_key: [{ name: '', prefix: '', status: '', quantity: 1 }],
        },
        quota_adjustments: [{ quantity: -1, plan_code: '', reason: '', created_at: '' }],
      },
    },
  ],
  [['api', 'readMe'], { account: { name: '' } }],
];

describe('signs that control a terminal', () => {
  const inert = /^[^\p{Cc}\p{Cf}]*$/u;

  test.each(answers)('%s: none is printed, in words or as JSON', async (words, shape) => {
    service.answer = () => ({ body: JSON.stringify(hostile(shape)) });
    for (const more of words[0] === 'api' ? [[]] : [[], ['--json']]) {
      const { out: printed, code } = await atelier(...words, ...more);
      expect([code, printed.replaceAll('\n', '')]).toEqual([0, expect.stringMatching(inert)]);
      expect(printed).toContain('x');
      if (more.length > 0 || words[0] === 'api')
        expect(JSON.stringify(JSON.parse(printed))).toContain(JSON.stringify(bad).slice(1, -1));
    }
  });

  test('errors: none is printed from any field', async () => {
    const error = { code: bad, message: bad, action: bad, request_id: bad, details: [{ location: bad, message: bad }] };
    service.answer = () => ({ status: 400, body: JSON.stringify({ error }) });
    for (const more of [[], ['--json']])
      expect((await atelier('jobs', ...more)).out.replaceAll('\n', '')).toMatch(inert);
    expect((await atelier('jobs', '--json')).out).toContain('\\u202e');
  });

  test('a stream of events: none is printed, and the JSON reads the same', async () => {
    const body = `data: ${JSON.stringify({ message: bad })}\n\n`;
    service.answer = () => ({ headers: { 'content-type': 'text/event-stream' }, body });
    const { out: printed } = await atelier('api', 'streamEvents');
    expect(printed.replaceAll('\n', '')).toMatch(inert);
    expect(JSON.parse(printed.trim().slice('data: '.length))).toEqual({ message: bad });
  });
});

describe('an answer that Atelier does not give', () => {
  const flags = ['--family', 'design', '--type', 'logo', '--title', 'A', '--instructions', 'private words'];

  test.each([307, 308, 302])('%s of a POST: the body is not sent on', async (status) => {
    service.answer = () => ({ status, headers: { location: `${stranger.url}/api/v1/jobs` } });
    const { code, out } = await atelier('create', ...flags);
    expect([code, out]).toEqual([7, expect.stringMatching(/redirects POST requests.*Check the address/s)]);
    const atelierClient = new Atelier({ url: service.url, token: 'atl_saved' });
    await expect(atelierClient.approveJob({ path: { id: 'job_1' } })).rejects.toMatchObject({ status });
    expect(stranger.asked).toEqual([]);
  });

  test.each([
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['no JSON', '{"jobs":'],
    ['a page', '<!doctype html><title>Hello</title>'],
    ['an error of another kind', '{"error":"no"}'],
  ])('%s: a plain sentence and exit code 7', async (_, body) => {
    const type = body.startsWith('<') ? 'text/html' : 'application/json';
    service.answer = () => ({ headers: { 'content-type': type }, body });
    for (const [words] of answers.filter(([[name]]) => name !== 'api')) {
      const { code, out: printed } = await atelier(...words);
      expect([words, code]).toEqual([words, 7]);
      expect(printed).toMatch(/answer/);
      expect(printed).not.toMatch(/Cannot read|undefined|not iterable/);
    }
  });

  test('what this program does not understand of Atelier itself is its own fault, and not told as unreachable', async () => {
    const catalog = { service_families: [], job_statuses: [] };
    service.answer = () => ({ body: JSON.stringify(service.asked.at(-1)?.path === '/api/v1/catalog' ? catalog : {}) });
    const { code, out } = await atelier('whoami');
    expect([code, out]).toEqual([1, expect.stringMatching(/^error: This program failed: .*\n {2}next {2}Report it/)]);
    expect(JSON.parse((await atelier('watch', 'job_1', '--json')).out).error.code).toBe('fault');
  });

  test.each([
    ['GET /api/v1/jobs lists the jobs of your account.', '`atelier jobs` lists the jobs'],
    ['GET /api/v1/jobs/{id}/comments lists them.', '`atelier api listComments` lists them'],
    [
      'End it with POST /api/v1/intake/sessions/ise_01jd3vsh8xe7rtx1zqbdnzc4v0/close.',
      'api closeIntake --id ise_01jd3v',
    ],
    ['Try GET /no/such/route.', 'Try GET /no/such/route.'],
  ])('an error says %s in commands', async (action, said) => {
    service.answer = () => ({
      status: 404,
      body: JSON.stringify({ error: { code: 'not_found', message: 'No.', action } }),
    });
    for (const more of [[], ['--json']]) expect((await atelier('jobs', ...more)).out).toContain(said);
  });

  test('an unknown caller reads how to log in, or which variable has the key', async () => {
    const error = { code: 'unauthenticated', message: 'Ended.', action: 'Use the refresh token.' };
    service.answer = () => ({ status: 401, body: JSON.stringify({ error }) });
    expect((await atelier('whoami')).out).toContain('next        Run: atelier login\n');
    Object.assign(env, { ATELIER_KEY: 'atl_other', ATELIER_URL: service.url });
    expect((await atelier('whoami')).out).toContain('Set ATELIER_KEY to a key that works');
  });

  test('an error whose fields are of other types is shown', async () => {
    service.answer = () => ({ status: 500, body: '{"error":{"message":7,"action":{},"details":[null,3],"code":[]}}' });
    expect((await atelier('jobs')).code).toBe(7);
  });
});
