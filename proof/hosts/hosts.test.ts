import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../test/faults/process.ts';
import { serveDocuments } from '../../test/support/app-documents.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { draft, newCustomer } from '../../test/support/jobs.ts';
import { makeKey, makeOperator, type TestPerson } from '../../test/support/people.ts';
import { readChapter } from './guide.ts';
import { asks, type Connected, type Connecting } from './hosts.ts';
import { libraryRows } from './libraries.ts';
import { allow, endAccess, expireAccess, openHome } from './person.ts';
import manifest from './package.json' with { type: 'json' };
import { programRows } from './programs.ts';

/** Each host does what the chapter Connect says, with what a person copies out of it. No model is called. */

let closed: Service;
/** Another, where apps register themselves. */
let open: Service;
let operator: TestPerson;
let documents: Awaited<ReturnType<typeof serveDocuments>>;

/** Listens where its documents say. */
async function createAt(env: Record<string, string> = {}, databaseUrl?: string): Promise<Service> {
  const port = String(await freePort());
  const settings = { PORT: port, PUBLIC_URL: `http://localhost:${port}`, WEBHOOK_ALLOW: '127.0.0.1', ...env };
  return createService(settings, databaseUrl ? { databaseUrl } : {});
}

beforeAll(async () => {
  documents = await serveDocuments();
  closed = await createAt();
  operator = await makeOperator(closed);
  open = await createAt({ OAUTH_DYNAMIC_REGISTRATION: 'allowed' }, closed.databaseUrl);
});
afterAll(async () => {
  documents.close();
  await closed.close();
  await open.close();
});

/** As the studio does it by hand. */
async function register(redirect: string): Promise<string> {
  const body = { name: 'Host', redirect_uris: [redirect] };
  const { status, body: registered } = await closed.call('POST', '/api/operator/v1/apps', { as: operator, body });
  expect(status).toBe(201);
  return registered.app.id;
}

/** A new person who connects this host, and lets it do what these scopes say. */
async function settle({ way, prepare }: Connecting, scopes: string[]) {
  const service = way.endsWith('itself') ? open : closed;
  const { person } = await newCustomer(service, 'studio');
  const chapter = await readChapter(service.url);
  const settled = { service, person, chapter, asked: 0, scopes, connect, host: null as unknown as Connected, leave };
  const allowAsked = async (address: string): Promise<URL> => {
    settled.asked += 1;
    return allow(service, person, address, settled.scopes);
  };
  const home = await openHome(allowAsked);
  const again = await prepare({
    chapter,
    key: () => makeKey(service, person),
    document: documents.at('painter.json'),
    register,
    allow: allowAsked,
    home: home.env,
  });
  async function connect(): Promise<void> {
    settled.host = await again();
  }
  async function leave(): Promise<void> {
    await settled.host?.close();
    home.close();
  }
  await connect();
  return settled;
}

const orderOn = async ({ host }: { host: Connected }): Promise<string> =>
  (await host.call('create_job', { ...draft, idempotency_key: randomUUID() })).job.id;

/** What the host says, which the chapter says, too. Where it asks the person and goes on, it says nothing. */
async function expectSaying(settled: { asked: number; chapter: string }, call: Promise<unknown>, words: string) {
  const { asked } = settled;
  const saying = await call.then(
    () => (settled.asked > asked ? asks : 'nothing'),
    (error: unknown) => String(error),
  );
  expect(saying).toContain(words);
  expect(settled.chapter).toContain(words);
}

test('the chapter names the versions that are tried', async () => {
  const chapter = await readChapter(closed.url);
  for (const version of Object.values(manifest.dependencies)) expect(chapter).toContain(version);
});

describe.each([...libraryRows, ...programRows])('$name $way', (row) => {
  let settled: Awaited<ReturnType<typeof settle>>;
  beforeAll(async () => void (settled = await settle(row, ['api:read', 'api:write'])));
  afterAll(() => settled?.leave());
  const isApp = row.way !== 'by key';

  test('lists the tools', async () => {
    const names = await settled.host.list();
    expect(names.length).toBeGreaterThanOrEqual(24);
    expect(names).toContain('create_job');
    expect(settled.asked).toBe(isApp ? 1 : 0);
  });

  test('orders, and the person was asked once', async () => {
    const { service, person } = settled;
    const { body } = await service.call('GET', `/api/v1/jobs/${await orderOn(settled)}`, { as: person });
    expect(body.job).toMatchObject({ status: 'queued', created_by: { kind: isApp ? 'app' : 'api_key' } });
    expect(settled.asked).toBe(isApp ? 1 : 0);
  });

  test('makes four calls at once with an expired access token', async () => {
    const { service, person, host } = settled;
    await expireAccess(service, person);
    host.expire?.();
    if (row.expired) await expectSaying(settled, host.call('get_account'), row.expired);
    const { asked } = settled;
    const four = await Promise.allSettled([1, 2, 3, 4].map(() => host.call('get_account')));
    expect(four.map((each) => (each.status === 'fulfilled' ? 'answered' : String(each.reason)))).toEqual(
      Array(4).fill('answered'),
    );
    expect(await host.call('get_account')).toHaveProperty('account');
    expect(settled.asked).toBe(asked);
  });

  test('says that its access has ended, and connects again', async () => {
    await endAccess(settled.service, settled.person);
    await expectSaying(settled, settled.host.call('get_account'), row.ended);
    await settled.host.close();
    await settled.connect();
    expect(await settled.host.call('get_account')).toHaveProperty('account');
  });
});

describe.each([...libraryRows, ...programRows].filter(({ readOnly }) => readOnly))('$name $way', (row) => {
  test('says so where the person allowed only reading, and orders once they allow more', async () => {
    const settled = await settle(row, ['api:read']);
    settled.scopes = ['api:read', 'api:write'];
    await expectSaying(settled, orderOn(settled), row.readOnly ?? asks);
    // These two have sent the person to the browser.
    if (row.readOnly !== asks && row.readOnly !== 'Unauthorized') await endAccess(settled.service, settled.person);
    await settled.host.close();
    await settled.connect();
    expect(await orderOn(settled)).toMatch(/^job_/);
    await settled.leave();
  });
});
