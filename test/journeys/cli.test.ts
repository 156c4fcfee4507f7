import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/run.ts';
import { showId } from '../../server/lib/id.ts';
import { runToEnd } from '../support/command-line.ts';
import { followEvents } from '../support/event-stream.ts';
import { addSecondFactor } from '../support/authenticator.ts';
import { goodPassword, signIn, signUp, type TestPerson } from '../support/people.ts';
import { bindCustomer, grant } from '../support/plans.ts';
import { environment, createService, type Service } from '../support/harness.ts';
import { pastWork, writeFolder } from '../support/past-work.ts';

const operator = { OPERATOR_EMAIL: 'desk@example.com', OPERATOR_PASSWORD: goodPassword };
const root = fileURLToPath(new URL('../..', import.meta.url));

let service: Service;
let ada: TestPerson;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-cli-'));
  service = await createService();
  ada = await signUp(service);
  await admin(['operator', 'create', '--email', operator.OPERATOR_EMAIL], { OPERATOR_EMAIL: '' });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The command line with the settings of the service. */
function admin(words: string[], env: Record<string, string> = {}) {
  const { port } = new URL(service.url);
  const settings = { ...environment, DATABASE_URL: service.databaseUrl, DATA_DIR: folder, PORT: port, ...operator };
  return runToEnd(run, words, { env: { ...settings, ...env } });
}

const entitlements = async ({ token }: TestPerson) =>
  (await service.call('GET', '/api/v1/entitlements', { as: token })).body.entitlements;

describe('npm run admin', () => {
  test.each([
    [['--help'], 0],
    [['provider', 'simulate', '--help'], 0],
    [[], 2],
    [['nonsense'], 2],
    [['provider', 'simulate', 'nonsense', '--account', 'acct_01jd3vsh8xe7rtx1zqbdnzc4v0', '--plan', 'solo'], 2],
    [['provider', 'simulate', 'subscription-updated', '--account', 'me', '--plan', 'solo'], 2],
    [['provider', 'simulate', 'subscription-updated', '--plan', 'solo'], 2],
    [['operator', 'create', '--email', 'a@b.example', '--password', 'in the shell history'], 2],
  ])('%j ends with %i', async (words, code) => {
    const ran = await admin(words);
    expect(ran.code).toBe(code);
    expect(code === 0 ? ran.err : ran.out).toBe('');
  });

  test('a refusal of the service: code, action and request id on standard error', async () => {
    const ran = await admin(['worker-key', 'create', '--name', 'w', '--family', 'alchemy']);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toMatch(/code {8}unsupported_service\n {2}action {6}Read .*\n {2}request id {2}req_\w{26}\n/);
    const json = await admin(['worker-key', 'create', '--name', 'w', '--family', 'alchemy', '--json']);
    expect(JSON.parse(json.err).error).toMatchObject({ code: 'unsupported_service', request_id: expect.any(String) });
  });

  test('nobody listens there', async () => {
    const ran = await admin(['provider', 'verify-prices', '--url', 'http://127.0.0.1:1']);
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toContain('Start the service');
  });
});

describe('provider simulate', () => {
  const simulate = (event: string, tier: string, person = ada, more: string[] = [], env = {}) =>
    admin(['provider', 'simulate', event, '--account', showId('acct', person.accountId), '--plan', tier, ...more], env);

  test('a plan begins, changes within its period and ends', async () => {
    await bindCustomer(service, ada);
    const begun = await simulate('subscription-updated', 'solo');
    expect(begun).toMatchObject({ code: 0, err: '' });
    expect(begun.out).toMatch(/^evt_simulated_\S+ {2}processed\n$/);
    const [first] = await entitlements(ada);
    expect(first).toMatchObject({ plan_code: 'solo', status: 'active' });

    const changed = await simulate('subscription-updated', 'studio', ada, ['--json']);
    expect(JSON.parse(changed.out)).toMatchObject({ outcome: 'processed', reason: null });
    expect(await entitlements(ada)).toMatchObject([{ plan_code: 'studio', period: first.period }]);
    await simulate('subscription-deleted', 'studio');
    expect(await entitlements(ada)).toMatchObject([{ plan_code: 'studio', status: 'canceled' }]);
    await simulate('subscription-created', 'agent');
    expect(await entitlements(ada)).toHaveLength(2);
  });

  test('a plan pauses, is resumed and becomes overdue', async () => {
    const eve = await signUp(service);
    await grant(service, eve, 'studio');
    for (const [event, status] of [
      ['subscription-paused', 'paused'],
      ['subscription-resumed', 'active'],
      ['subscription-past-due', 'past_due'],
    ] as const) {
      expect((await simulate(event, 'studio', eve)).code).toBe(0);
      expect(await entitlements(eve)).toMatchObject([{ status }]);
    }
  });

  test('an account without a customer is told to start a checkout', async () => {
    const ran = await simulate('subscription-updated', 'solo', await signUp(service));
    expect([ran.code, ran.out]).toEqual([1, '']);
    expect(ran.err).toContain('POST /api/checkout/tier');
  });

  test('an unknown plan, and a provider that takes real money', async () => {
    expect((await simulate('subscription-updated', 'platinum')).err).toContain('solo, agent, studio');
    const live = await simulate('subscription-updated', 'solo', ada, [], { STRIPE_SECRET_KEY: 'sk_live_x' });
    expect([live.code, live.err.includes('real money')]).toEqual([1, true]);
  });

  test('what the service refuses or ignores is a failure', async () => {
    await bindCustomer(service, ada);
    const refused = await simulate('subscription-updated', 'solo', ada, [], { STRIPE_WEBHOOK_SECRET: 'whsec_other' });
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/400 invalid_signature \(req_/);
    const catalog = mkdtempSync(join(folder, 'catalog-'));
    for (const name of ['families.yaml', 'plans.yaml', 'file-types.yaml'])
      writeFileSync(
        join(catalog, name),
        readFileSync(join(root, 'catalog', name), 'utf8').replace('t: 4900', 't: 4800'),
      );
    const ignored = await simulate('subscription-created', 'solo', ada, [], { CATALOG_DIR: catalog });
    expect([ignored.code, ignored.out.trim().endsWith('ignored: wrong amount')]).toEqual([1, true]);
  });
});

test('provider verify-prices: one line for each plan', async () => {
  const ran = await admin(['provider', 'verify-prices']);
  expect(ran).toEqual({
    code: 0,
    err: '',
    out: 'solo          verified\nagent         verified\nstudio        verified\n',
  });
  const json = await admin(['--json', 'provider', 'verify-prices']);
  expect(JSON.parse(json.out)).toMatchObject({ checkout_available: true });
});

test('provider verify-prices: fails while one differs', async () => {
  const find = service.context.provider.findPrice.bind(service.context.provider);
  service.context.provider.findPrice = async (id) => (id === 'price_solo_monthly' ? null : find(id));
  const ran = await admin(['provider', 'verify-prices']);
  service.context.provider.findPrice = find;
  expect(ran.code).toBe(1);
  expect(ran.out).toContain('solo          not verified  the price does not exist at the provider\n');
  expect(ran.err).toContain('Checkout is closed');
});

test('operator create: the password comes from OPERATOR_PASSWORD, and they can sign in', async () => {
  const email = 'second@example.com';
  const ran = await admin(['operator', 'create', '--email', email], { OPERATOR_EMAIL: '' });
  expect(ran).toEqual({ code: 0, err: '', out: `${email} is an operator.\n` });
  const { token } = await signIn(service, email);
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: token })).status).toBe(200);
});

test('operator create: under a name that colleagues know; one that pages could not show is refused', async () => {
  const email = 'mira@example.com';
  const create = (name: string) =>
    admin(['operator', 'create', '--email', email, '--name', name], { OPERATOR_EMAIL: '' });
  for (const name of ['see https://x.example', 'see www.x.example'])
    expect(await create(name)).toMatchObject({ code: 1, err: expect.stringContaining('no name') });
  expect((await create('Mira Okafor')).code).toBe(0);
  const { token } = await signIn(service, email);
  const { body } = await service.call('GET', '/api/operator/v1/operators', { as: token });
  expect(body.operators).toContainEqual(expect.objectContaining({ name: 'Mira Okafor' }));
});

test('operator create: somebody who is one already keeps their password, and that is said', async () => {
  const email = 'second@example.com';
  const again = (...more: string[]) =>
    admin(['operator', 'create', '--email', email, ...more], {
      OPERATOR_EMAIL: '',
      OPERATOR_PASSWORD: 'a brand new one',
    });
  const kept = `${email} is already an operator. Their password is a different one and was not changed.\n`;
  expect(await again()).toEqual({ code: 0, err: '', out: kept });
  expect(JSON.parse((await again('--json')).out)).toEqual({ operator: { email, password_holds: false } });
  expect((await signIn(service, email)).token).toBeTruthy();
});

test('operator create: the password of somebody who has the address must be right, or is replaced', async () => {
  const { email, token } = await signUp(service);
  const create = (...more: string[]) =>
    admin(['operator', 'create', '--email', email, ...more], {
      OPERATOR_EMAIL: '',
      OPERATOR_PASSWORD: 'yet another password',
    });
  const refused = await create();
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--replace-password') });
  expect((await create('--replace-password')).code).toBe(0);
  expect((await service.call('GET', '/api/auth/accounts', { as: token })).status).toBe(401);
  const operator = await signIn(service, email, 'yet another password');
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: operator.token })).status).toBe(200);
});

test('operator list and remove: the desk is closed, and who the settings name is warned about', async () => {
  const email = 'leaving@example.com';
  await admin(['operator', 'create', '--email', email], { OPERATOR_EMAIL: '' });
  const listed = JSON.parse((await admin(['operator', 'list', '--json'])).out);
  expect(listed.operators.map((one: { email: string }) => one.email)).toContain(email);
  const { token } = await signIn(service, email);
  const removed = await admin(['operator', 'remove', '--email', email], { OPERATOR_EMAIL: email });
  expect(removed).toEqual({
    code: 0,
    out: `${email} is no longer an operator.\nWorker keys revoked: 0. Jobs returned to the queue: 0. Invitations ended: 0.\n`,
    err: expect.stringContaining('OPERATOR_EMAIL'),
  });
  expect((await service.call('GET', '/api/operator/v1/accounts', { as: token })).status).toBe(401);
  expect((await admin(['operator', 'remove', '--email', email])).code).toBe(1);
});

test('second-factor remove: they sign in with the password alone, get a mail, and their sessions have ended', async () => {
  const person = await signUp(service);
  const { token } = await addSecondFactor(service, person);
  const removed = await admin(['second-factor', 'remove', '--email', `Ada <${person.email}>`]);
  expect(removed).toEqual({ code: 0, err: '', out: `${person.email} signs in with only the password.\n` });
  expect((await service.call('GET', '/api/auth/session', { as: token })).status).toBe(401);
  expect(await signIn(service, person.email)).toMatchObject({ userId: person.userId });
  expect((await admin(['second-factor', 'remove', '--email', person.email])).code).toBe(1);
});

test('operator create: without a password there is nobody to ask, and a short one is refused', async () => {
  const asked = ['operator', 'create', '--email', 'third@example.com'];
  const missing = await admin(asked, { OPERATOR_PASSWORD: '' });
  expect([missing.code, missing.err.includes('Set OPERATOR_PASSWORD')]).toEqual([1, true]);
  const short = await admin(asked, { OPERATOR_PASSWORD: 'secret' });
  expect([short.code, short.err.includes('10 to 128 characters'), short.err.includes('secret')]).toEqual([
    1,
    true,
    false,
  ]);
  const weak = await admin(asked, { OPERATOR_PASSWORD: 'letmein1234' });
  expect([weak.code, weak.err.includes('easy to guess'), weak.err.includes('letmein')]).toEqual([1, true, false]);
});

test('worker-key create: the key alone on standard output, and it opens the desk', async () => {
  const ran = await admin(['worker-key', 'create', '--name', 'renderer', '--family', 'design', 'writing']);
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(/^atw_\w+_\w+\n$/);
  expect(ran.err).toContain('not shown again');
  const claimed = await service.call('POST', '/api/operator/v1/jobs/claim', { as: ran.out.trim(), body: {} });
  expect(claimed.status).toBe(204);
});

test('worker-key create: with the wrong password of the operator', async () => {
  const ran = await admin(['worker-key', 'create', '--name', 'x'], { OPERATOR_PASSWORD: 'not the password' });
  expect([ran.code, ran.out]).toEqual([1, '']);
  expect(ran.err).toContain('Set OPERATOR_EMAIL and OPERATOR_PASSWORD');
});

test('app create, list and end: the client id alone on standard output, and who ended it in the audit', async () => {
  expect((await admin(['app', 'list'])).out).toBe('There is no app.\n');
  const redirects = ['--redirect-uri', 'http://127.0.0.1/callback', '--redirect-uri', 'https://app.example/callback'];
  const made = await admin(['app', 'create', '--name', 'Cursor', ...redirects]);
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^app_\w{26}\n$/)]);
  expect(made.err).toContain('no client secret');
  const id = made.out.trim();
  expect((await admin(['app', 'list'])).out).toBe(
    `${id}  Cursor  connections: 0  http://127.0.0.1/callback https://app.example/callback\n`,
  );
  const ended = await admin(['app', 'end', id]);
  expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('Cursor has ended.')]);
  const { apps } = JSON.parse((await admin(['app', 'list', '--json'])).out);
  expect(apps).toMatchObject([{ id, status: 'ended' }]);
  const desk = await signIn(service, operator.OPERATOR_EMAIL);
  const audit = await service.call('GET', `/api/operator/v1/audit?subject=${id}`, { as: desk });
  const { user } = (await service.call('GET', '/api/auth/session', { as: desk })).body;
  expect(audit.body.audit_entries).toMatchObject([
    { action: 'app.ended', created_by: { id: user.id } },
    { action: 'app.created', created_by: { id: user.id } },
  ]);
});

test('app create and end: a refusal names the address or the list', async () => {
  const refused = await admin(['app', 'create', '--name', 'Cursor', '--redirect-uri', 'javascript:alert(1)']);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toMatch(/code {8}invalid_request\n/);
  expect(refused.err).toContain('/redirect_uris/0');
  const unknown = await admin(['app', 'end', 'app_01jd3vsh8xe7rtx1zqbdnzc4v0']);
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('app_not_found')]);
  expect((await admin(['app', 'create', '--name', 'Cursor'])).code).toBe(2);
});

test('catalog check: what is sold, or each mistake with its line', async () => {
  expect((await admin(['catalog', 'check'])).out).toContain('plans: solo, agent, studio\n');
  const broken = mkdtempSync(join(folder, 'broken-'));
  for (const name of ['families.yaml', 'plans.yaml', 'file-types.yaml'])
    writeFileSync(
      join(broken, name),
      readFileSync(join(root, 'catalog', name), 'utf8').replace('quota: 5\n', 'quota: x\n'),
    );
  const ran = await admin(['catalog', 'check', broken]);
  expect([ran.code, ran.out]).toEqual([1, '']);
  expect(ran.err).toMatch(/plans\.yaml:\d+/);
});

test('catalog publish, list and export: the files are the start and the export', async () => {
  const dir = mkdtempSync(join(folder, 'catalog-'));
  const [first, last] = [join(dir, 'first'), join(dir, 'last')];
  expect((await admin(['catalog', 'export', first])).out).toContain('families.yaml\n');
  const families = readFileSync(join(first, 'families.yaml'), 'utf8');
  expect(families).toBe(readFileSync(join(root, 'catalog/families.yaml'), 'utf8'));
  writeFileSync(join(first, 'families.yaml'), families.replace('    name: Data\n', '    name: Tables\n'));
  const published = await admin(['catalog', 'publish', first, '--note', 'Data is called tables.']);
  expect([published.code, published.out]).toEqual([0, 'version 2 is the newest\n']);
  expect((await admin(['catalog', 'publish', first])).out).toBe('version 2 is the newest\n');
  const { out } = await admin(['catalog', 'list']);
  expect(out).toMatch(/^ +2 .+ from files {2}Data is called tables\.\n +1 .+ from files\n$/);
  await admin(['catalog', 'export', last]);
  expect(readFileSync(join(last, 'families.yaml'), 'utf8')).toContain('    name: Tables\n');
  const from = performance.now();
  const names = async () =>
    (await service.call('GET', '/api/v1/catalog')).body.service_families.map(({ name }: { name: string }) => name);
  while (!(await names()).includes('Tables')) expect(performance.now() - from).toBeLessThan(3_000);
  expect((await admin(['catalog', 'publish'])).code).toBe(0);
});

test('migrate: names what it did; other commands say that it is needed', async () => {
  const name = `cli_${process.pid}`;
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  const empty = new URL(service.databaseUrl);
  empty.pathname = `/${name}`;
  const env = { DATABASE_URL: empty.href };
  const early = await admin(['operator', 'create', '--email', 'early@example.com'], env);
  expect([early.code, early.err.includes('npm run admin -- migrate')]).toEqual([1, true]);
  const ran = await admin(['migrate'], env);
  expect([ran.code, ran.out.split('\n')[0]]).toEqual([0, '0001_accounts']);
  expect(await admin(['migrate'], env)).toEqual({ code: 0, out: '', err: 'Nothing to migrate.\n' });
  await client.query(`drop database ${name}`);
  await client.end();
});

describe('check', () => {
  test('0 and the number of rows without a contradiction, 1 with its words and ids', async () => {
    const eve = await signUp(service);
    await grant(service, eve, 'studio');
    const clean = await admin(['check']);
    expect(clean).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Checked [1-9]\d* accounts, /) });
    expect(clean.out).toMatch(/: no contradiction\.\n$/);

    const { db } = service.context;
    await db.updateTable('entitlement_periods').set({ used: 3 }).where('account_id', '=', eve.accountId).execute();
    const broken = await admin(['check', '--files']);
    expect(broken).toMatchObject({ code: 1, err: '' });
    expect(broken.out).toMatch(
      /^Broken: The used quota of a period is the sum of its ledger and adjustments\.\n {2}ent_\w{26} of acct_/,
    );
    expect(broken.out).toContain(` of ${showId('acct', eve.accountId)} has used 3 since `);
    expect(broken.out).toMatch(/: 1 contradiction\.\n$/);
    const json = await admin(['check', '--json']);
    const { contradictions, rows } = JSON.parse(json.out).check;
    expect([json.code, rows.periods > 0, contradictions[0].total]).toEqual([1, true, 1]);
    await db.updateTable('entitlement_periods').set({ used: 0 }).where('account_id', '=', eve.accountId).execute();
  });
});

test('feed restart: numbers are passed over, and readers of each account list their jobs again', async () => {
  const before = await signUp(service);
  const logOf = async (query = '') => (await service.call('GET', `/api/v1/events${query}`, { as: before.token })).body;
  const { latest } = await logOf();
  const stream = await followEvents(service, before.token, { lastEventId: String(latest) });
  const ran = await admin(['feed', 'restart', '--json']);
  expect([ran.code, JSON.parse(ran.out).feed.accounts]).toEqual([0, expect.any(Number)]);
  expect(JSON.parse(ran.out).feed.accounts).toBeGreaterThan(1);
  const { events, latest: now } = await logOf(`?after=${latest}`);
  expect(now).toBe(latest + 1_000_001);
  expect(events).toMatchObject([{ seq: now, type: 'feed.restarted', actor: 'service', job: null }]);
  expect((await stream.events(1))[0]).toMatchObject({ id: String(now), data: { type: 'feed.restarted' } });
  await stream.close();
  // A number that was lost in the restored backup, and one that was read before it: neither is taken for another event.
  expect((await logOf(`?after=${latest + 5}`)).events).toHaveLength(1);
  expect((await admin(['feed', 'restart'])).out).toMatch(/^The logs of \d+ accounts continue with new numbers\.$/m);
  const refused = await admin(['storage', 'sweep']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('because the logs were restarted')]);
});

test('storage adopt, sweep --dry-run, sweep and --restore: an orphan goes to the trash and comes back', async () => {
  const used = mkdtempSync(join(tmpdir(), 'atelier-cli-storage-'));
  const env = { STORAGE_URL: `file:${used}` };
  await service.context.db.updateTable('installation').set({ sweeps_halted_until: null }).execute();
  const key = 'files/01900000-0000-7000-8000-000000000000.pdf';
  mkdirSync(join(used, 'files'));
  writeFileSync(join(used, key), 'bytes');
  utimesSync(join(used, key), new Date(0), new Date(0));
  const refused = await admin(['storage', 'sweep'], env);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('npm run admin -- storage adopt')]);
  const adopted = await admin(['storage', 'adopt', '--json'], env);
  const { installation } = JSON.parse(adopted.out).storage;
  expect(readFileSync(join(used, 'atelier-installation'), 'utf8')).toMatch(
    new RegExp(`^${installation} [0-9a-f-]{36}$`),
  );
  expect((await admin(['storage', 'sweep', '--dry-run'], env)).out).toBe(
    `${key}\n1 of 1 objects older than a day have no row.\n`,
  );
  const swept = await admin(['storage', 'sweep', '--json'], env);
  expect(JSON.parse(swept.out)).toEqual({ storage: { objects: 1, orphans: [key], moved: 1, refused: null } });
  expect(existsSync(join(used, key))).toBe(false);
  expect((await admin(['storage', 'sweep', '--restore'], env)).out).toMatch(
    /^1 objects were restored from the trash\./,
  );
  expect(readFileSync(join(used, key), 'utf8')).toBe('bytes');
  expect((await admin(['storage', 'sweep', '--restore', '--dry-run'], env)).code).toBe(1);
  rmSync(used, { recursive: true });
});

describe('import', () => {
  test('says what would happen, then does it, and exits 1 with every problem by file, line and column', async () => {
    const work = join(folder, 'past-work');
    expect((await admin(['storage', 'adopt'])).code).toBe(0); // another was adopted above
    const tables = pastWork();
    writeFolder(work, tables);
    const dry = await admin(['import', work, '--dry-run']);
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.out).toContain('new, 2 new people, 20 new jobs, 24 files');
    expect(dry.out).toContain('Would import 3 customers, 0 unchanged, 0 left out, 0 problems.');
    const imported = await admin(['import', work]);
    expect([imported.code, imported.err]).toEqual([0, '']);
    expect(imported.out).toContain('Imported 3 customers');
    expect((await admin(['import', work])).out).toContain('Imported 0 customers, 3 unchanged');
    Object.assign(tables.jobs[0] ?? {}, { title: 'Another' });
    writeFolder(work, tables);
    const changed = await admin(['import', work]);
    expect([changed.code, changed.out.split('\n')[0]]).toEqual([
      1,
      'jobs.csv:2 title differs from the first import; a past job does not change.',
    ]);
    expect((await admin(['check'])).out).toContain('no contradiction');
    expect((await admin(['import', join(folder, 'nowhere')])).err).toContain('There is no readable file customers.csv');
  });
});
