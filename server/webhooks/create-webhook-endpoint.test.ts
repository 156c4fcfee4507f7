import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { verifyByReference } from '../../test/support/receiver.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';
import { addMember } from '../../test/support/people.ts';
import { createService } from '../../test/support/harness.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

const create = (body: object, as = studio.ada.token) =>
  studio.service.call('POST', '/api/v1/webhook-endpoints', { as, body });

test('201: it gets new events, with signatures that the reference library accepts', async () => {
  await newJob(studio.service, studio.key);
  const { status, body } = await create({ url: studio.receiver.url, description: 'Ours' });
  expect(status).toBe(201);
  expect(body.webhook_endpoint).toMatchObject({ enabled: true, disabled_reason: null, types: null });
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  studio.receiver.received.length = 0;
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 30_000 });
  const [received] = studio.receiver.received;
  const created_by = { kind: 'api_key', name: 'test key' };
  expect(received!.event).toMatchObject({ type: 'job.created', created_by, job: { id, status: 'queued' } });
  expect(JSON.parse(received!.text)).toMatchObject({ type: 'job.created', timestamp: received!.event.created_at });
  verifyByReference(received!, body.secret);
  // A secret is stored encrypted and shown once.
  const { rows } = { rows: await studio.service.context.db.selectFrom('webhook_secrets').selectAll().execute() };
  expect(JSON.stringify(rows)).not.toContain(body.secret.slice(6));
  const list = await studio.service.call('GET', '/api/v1/webhook-endpoints', { as: studio.key });
  expect(JSON.stringify(list.body)).not.toContain('whsec_');
});

test('201: it gets only the requested types', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await newEndpoint(studio, { types: ['job.canceled'] }, person.token);
  studio.receiver.received.length = 0;
  const id = await newJob(studio.service, key);
  await studio.service.call('POST', `/api/v1/jobs/${id}/cancel`, { as: key });
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 30_000 });
  expect(studio.receiver.received[0]!.event).toMatchObject({ type: 'job.canceled', job: { id } });
});

test('201: the URL as a parser reads it; 422 webhook_url_refused: control characters in it', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  const { body } = await create({ url: ' https://EXAMPLE.com/a b' }, person.token);
  expect(body.webhook_endpoint.url).toBe('https://example.com/a%20b');
  const words = 'https://example.com/\n\nPay here:\n\nhttps://evil.example/pay';
  for (const url of [words, 'https://example.com/\t', '\u0085https://example.com/']) {
    const refused = await create({ url }, person.token);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'webhook_url_refused']);
    const path = `/api/v1/webhook-endpoints/${body.webhook_endpoint.id}`;
    const changed = await studio.service.call('PATCH', path, { as: person.token, body: { url } });
    expect([changed.status, changed.body.error.code]).toEqual([422, 'webhook_url_refused']);
  }
});

test('403 limit_reached: the eleventh, also when many come at once', async () => {
  const { person } = await newCustomer(studio.service);
  const answers = await Promise.all([...Array(13)].map(() => create({ url: studio.receiver.url }, person.token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 403, 403, 403]);
  expect(answers.find(({ status }) => status === 403)?.body.error.code).toBe('limit_reached');
});

test('403 role_required: a member; 403 credential_not_accepted: a key', async () => {
  const member = await addMember(studio.service, studio.ada, 'member');
  const codeFor = async (as: string) => (await create({ url: studio.receiver.url }, as)).body.error.code;
  expect(await codeFor(member.token)).toBe('role_required');
  expect(await codeFor(studio.key)).toBe('credential_not_accepted');
});

const refused = [
  'ftp://example.com/',
  'https://user:secret@example.com/',
  'http://example.com:8080@127.0.0.2/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.2]/',
  'https://2130706434/',
  'https://0x7f.2/',
  'https://192.168.1.1/',
  'https://0.0.0.0/',
  'nonsense',
];
test.each(refused)('422 webhook_url_refused: %s', async (url) => {
  const { status, body } = await create({ url });
  expect([status, body.error.code]).toEqual([422, 'webhook_url_refused']);
});

test('422 webhook_url_refused: http, a port and localhost, where nothing is allowed beside', async () => {
  const strict = await createService({}, { databaseUrl: studio.service.databaseUrl });
  for (const url of [
    studio.receiver.url,
    'http://example.com/',
    'https://example.com:8443/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://127.0.0.1/',
  ]) {
    const { status, body } = await strict.call('POST', '/api/v1/webhook-endpoints', {
      as: studio.ada.token,
      body: { url },
    });
    expect([status, body.error?.code], url).toEqual([422, 'webhook_url_refused']);
  }
  const good = await strict.call('POST', '/api/v1/webhook-endpoints', {
    as: studio.ada.token,
    body: { url: 'https://example.com:443/hook?tenant=a' },
  });
  expect(good.status).toBe(201);
  await strict.close();
});

test('422 invalid_request: no url, an unknown type, no type, a field too many', async () => {
  const url = studio.receiver.url;
  for (const body of [{}, { url: 7 }, { url, types: ['job.exploded'] }, { url, types: [] }, { url, x: 1 }]) {
    const answer = await create(body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
  }
});
