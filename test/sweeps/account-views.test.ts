import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, isOfAccount } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { tryView, view } from '../support/account-views.ts';
import { ask, contentOf, createWorld, prefixOf, said, titled, type World } from '../support/every-endpoint.ts';
import { newFile, someBytes } from '../support/files.ts';
import { newJob, post } from '../support/jobs.ts';
import { call, connect } from '../support/mcp.ts';
import { comment, type Delivered, newDelivery } from '../support/review.ts';
import { newReviewLink } from '../support/review-links.ts';
import { sweep } from '../support/sweep.ts';
import { sayAtDesk } from '../support/talk.ts';

const ofAccount = endpoints.filter(isOfAccount);
const viewable = ofAccount.filter(({ whileViewing }) => whileViewing);
const hidden = ofAccount.filter(({ whileViewing }) => !whileViewing);

const marker = 'Zanzibar';
let world: World;
let delivered: Delivered;
/** What no answer of a view may contain. */
const secrets: string[] = [marker];

beforeAll(async () => {
  world = await createWorld();
  const { service, ada } = world;
  const make = async (path: string, body?: object) => {
    const answer = await post(service, ada.token, path, body);
    expect(answer.status, path).toBe(201);
    return answer.body;
  };
  delivered = await newDelivery(world);
  expect((await comment(world, delivered, `${marker}, not sent.`)).status).toBe(201);
  await sayAtDesk(world, delivered.id, 'The second one is our favourite.');
  // This key has used quota, so its prefix is in the usage of the account.
  const { api_key: used, plaintext_key: key } = await make('/api/v1/api-keys', {
    name: 'Agent',
    scopes: ['api:read', 'api:write'],
  });
  await newJob(service, key, { metadata: { order: marker } });
  await make('/api/v1/api-keys', { name: `${marker} key` });
  await make('/api/v1/templates', { name: `${marker} template`, service_family: 'design' });
  await make('/api/v1/intake/sessions', { service_family: 'design', message: `A logo for ${marker}.` });
  const hook = await make('/api/v1/webhook-endpoints', { url: `https://hooks.example.com/${marker}` });
  await newFile(service, ada.token, someBytes(), { file_name: `${marker}.png`, content_type: 'image/png' });
  const link = await newReviewLink(world, delivered.id, { name: marker });
  secrets.push(used.prefix, key, hook.secret, link.guest.review);
  await view(world);
});
afterAll(() => world.service.close());

const idsFor = (endpoint: Endpoint): (string | undefined)[] => {
  const prefix = prefixOf(endpoint) ?? '';
  // The other job has no files.
  if (endpoint.operationId === 'openArchive') return [delivered.id];
  if (prefix === 'job') return [world.ids.job, delivered.id];
  return [prefix === 'file' ? delivered.file : world.ids[prefix]];
};

test('only GET is viewable, and nothing that counts against a limit or stays open', () => {
  expect(viewable.length).toBeGreaterThan(10);
  for (const { operationId, method, rate, atOnce, long } of viewable)
    expect([operationId, method, rate, atOnce, long]).toEqual([operationId, 'GET', undefined, undefined, undefined]);
});

describe('an answer of a view has no secret of the account', () => {
  sweep('each', titled(viewable), async (endpoint) => {
    for (const id of idsFor(endpoint)) {
      const answer = await ask(world, endpoint, { as: world.operator.token, ...(id === undefined ? {} : { id }) });
      expect(answer.status).toBe(endpoint.answers[303] ? 303 : 200);
      const text = JSON.stringify(answer.body ?? null);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });
});

test('the same secrets are in the answers to the account itself', async () => {
  const { service, ada } = world;
  const texts = await Promise.all(
    [
      '/api/v1/jobs/' + delivered.id + '/comments',
      '/api/v1/usage',
      '/api/v1/api-keys',
      '/api/v1/templates',
      '/api/v1/webhook-endpoints',
      '/api/v1/files',
      '/api/v1/intake/sessions',
    ].map(async (path) => [path, JSON.stringify((await service.call('GET', path, { as: ada.token })).body)] as const),
  );
  for (const [path, text] of texts)
    expect([path, secrets.some((secret) => text.includes(secret))]).toEqual([path, true]);
});

describe('403 view_only for every other route of accounts, which changes nothing', () => {
  sweep('each', titled(hidden), async (endpoint) => {
    for (const id of idsFor(endpoint)) {
      const answer = await ask(world, endpoint, { as: world.operator.token, ...(id === undefined ? {} : { id }) });
      expect(said(answer)).toBe('403 view_only');
    }
  });
});

test('403 view_only: programs that speak the Model Context Protocol with the session', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { accept: 'application/json, text/event-stream' };
  expect(said(await world.service.call('POST', '/mcp', { as: world.operator.token, body, headers }))).toBe(
    '403 view_only',
  );
  const own = await connect(world.service, world.key);
  expect((await call(own, 'get_account')).body.viewed_until).toBeNull();
  await own.close();
});

test('looking writes nothing but the records of downloads, of a file and of an archive', async () => {
  const before = await contentOf(world.service);
  for (const endpoint of viewable)
    for (const id of idsFor(endpoint))
      await ask(world, endpoint, { as: world.operator.token, ...(id === undefined ? {} : { id }) });
  const after = await contentOf(world.service);
  expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual([]);
  const rows = await world.service.context.db
    .selectFrom('audit_log')
    .select(['actor', 'user_id', 'account_id', 'subject'])
    .where('action', '=', 'file.downloaded_at_desk')
    .execute();
  const record = { actor: 'operator', user_id: world.operator.userId, account_id: world.ada.accountId };
  const subjects = [delivered.file, delivered.id];
  expect(rows.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual(
    subjects.map((subject) => ({ ...record, subject })),
  );
});

test('404 file_not_found: a file that belongs to no job', async () => {
  const { id } = await newFile(world.service, world.ada.token, someBytes());
  const download = (as: string) => world.service.call('GET', `/api/v1/files/${id}/download`, { as });
  expect((await download(world.ada.token)).status).toBe(303);
  expect(said(await download(world.operator.token))).toBe('404 file_not_found');
});

test('404: what belongs to a third account', async () => {
  const job = await newJob(world.service, world.eveKey);
  const { status } = await world.service.call('GET', `/api/v1/jobs/${job}`, { as: world.operator.token });
  expect(status).toBe(404);
});

describe('the desk and the routes of the person answer as before', () => {
  const others = endpoints.filter(
    ({ auth, method, answers }) =>
      method === 'GET' && ['person', 'operator', 'desk'].includes(auth) && !answers[200]?.stream,
  );
  sweep('each', titled(others), async (endpoint) => {
    const during = await ask(world, endpoint, { as: world.operator.token });
    expect(said(during)).not.toContain('view_only');
    expect(during.status).not.toBe(403);
  });
});

test('403 role_required: a member of the account views nothing', async () => {
  expect(said(await tryView(world, world.ada.token))).toBe('403 role_required');
});
