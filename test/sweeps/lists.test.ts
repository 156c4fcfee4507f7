import { sql } from 'kysely';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { page } from '../../contract/shapes.ts';
import { readId } from '../../server/lib/id.ts';
import { insertGrant } from '../support/apps.ts';
import {
  ask,
  createWorld,
  credentialFor,
  goodBodies,
  pathFor,
  prefixOf,
  send,
  titled,
} from '../support/every-endpoint.ts';
import type { World } from '../support/every-endpoint.ts';
import { newFile } from '../support/files.ts';
import { newJob, newJobIn, post } from '../support/jobs.ts';
import { finishJob, newShowLink } from '../support/library.ts';
import { inviteOperator } from '../support/operators.ts';
import { addMaker, newOrder } from '../support/orders.ts';
import { alsoMember, makeOperator, signIn } from '../support/people.ts';
import { grant } from '../support/plans.ts';
import { sweep } from '../support/sweep.ts';
import { say } from '../support/talk.ts';

/** They are read from a place on, and never end. */
const logs = ['listEvents', 'listJobEvents'];
const lists = endpoints.filter(({ operationId }) => operationId.startsWith('list') && !logs.includes(operationId));

type Properties = Record<string, { type?: string; items?: object }>;
const answered = ({ answers }: Endpoint): Properties => (answers[200]?.schema as TObject | undefined)?.properties ?? {};
const arraysOf = (endpoint: Endpoint) => Object.entries(answered(endpoint)).filter(([, { type }]) => type === 'array');

/** What a thread answers besides: how far the caller has read it. */
const marksOfReader = ['read_message_id', 'following'];
/** What a page has besides its rows: whether versions can be published at all, or who is told of a job. */
const extraFields: Record<string, string[]> = {
  listCatalogVersions: ['in_files'],
  // Few, and never by pages.
  listMessages: ['followers'],
};
const extraOf = ({ operationId }: Endpoint) => [
  ...(operationId.endsWith('Messages') ? marksOfReader : []),
  ...(extraFields[operationId] ?? []),
];
/** The arrays that a page is of. */
const rowsOf = (endpoint: Endpoint) => arraysOf(endpoint).filter(([name]) => !extraOf(endpoint).includes(name));

describe('every list', () => {
  test('has a name that begins with list', () => {
    const reads = endpoints.filter((endpoint) => endpoint.method === 'GET' && arraysOf(endpoint).length > 0);
    const others = reads.filter((endpoint) => !lists.includes(endpoint) && !logs.includes(endpoint.operationId));
    // One thing with all its parts.
    expect(others.map(({ operationId }) => operationId).toSorted()).toEqual([
      'countDeskUnread',
      'countUnread',
      'exportPerson',
      'readAlerts',
      'readCatalog',
      'readConnection',
      'readDeskJob',
      'readDevice',
      'readJob',
      'readMe',
      'readNotificationChoices',
      'readPrices',
      'readReadiness',
    ]);
  });

  sweep('takes limit and cursor, and answers one array and next_cursor', titled(lists), (endpoint) => {
    expect(endpoint.query?.properties).toMatchObject(page);
    expect(rowsOf(endpoint)).toHaveLength(1);
    expect(Object.keys(answered(endpoint)).toSorted()).toEqual(
      [rowsOf(endpoint)[0]?.[0], 'next_cursor', ...extraOf(endpoint)].toSorted(),
    );
    expect(endpoint.errors[400]).toContain('invalid_request');
  });

  test('has the same bound for limit, and so has the log', () => {
    const bounds = endpoints.flatMap(({ query }) => {
      const { limit } = (query?.properties ?? {}) as Record<string, { minimum: number; maximum: number }>;
      return limit ? [[limit.minimum, limit.maximum]] : [];
    });
    expect(new Set(bounds.map(String))).toEqual(new Set(['1,100']));
  });
});

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { service, ada, eve, member, operator, key } = world;
  await grant(service, ada, 'solo');
  await newJob(service, key);
  for (const person of [ada, ada, eve]) await insertGrant(service, person);
  await newFile(service, key, Buffer.from('one more'));
  await newOrder(service, await addMaker(service, ada));
  await say(world, world.ids.job!, 'Hello to you.');
  await post(service, key, `/api/v1/jobs/${world.ids.job}/review-links`, goodBodies.createReviewLink);
  await signIn(service, ada.email);
  await makeOperator(service);
  await inviteOperator(service, operator);
  await alsoMember(service, ada, eve, 'member');
  await post(service, key, '/api/v1/intake/sessions', goodBodies.openIntake);
  await post(service, key, '/api/v1/templates', { name: 'Second', service_family: 'design' });
  await post(service, operator.token, '/api/operator/v1/worker-keys', { name: 'second' });
  await post(service, operator.token, '/api/operator/v1/macros', { name: 'Second', text: 'Two.' });
  await post(service, operator.token, '/api/operator/v1/saved-views', goodBodies.createSavedView);
  await post(service, operator.token, '/api/operator/v1/apps', goodBodies.createStudioApp);
  await post(service, operator.token, '/api/operator/v1/catalog-versions/1/publish', goodBodies.republishCatalog);
  await post(service, ada.token, '/api/v1/webhook-endpoints', goodBodies.createWebhookEndpoint);
  await post(service, ada.token, `/api/v1/webhook-endpoints/${world.ids.hook}/test`);
  await post(service, ada.token, '/api/auth/invitations', { email: 'second@example.com', role: 'member' });
  await sql`
    insert into job_comments (account_id, job_id, round, file_id, text, user_id, sent_at)
    select account_id, id, 0, ${readId('file', world.ids.file ?? '')}, 'Rounder.', ${ada.userId}, now()
    from jobs, generate_series(1, 2) where id = ${readId('job', world.ids.job ?? '')}`.execute(service.context.db);
  await sql`
    insert into job_submissions (account_id, job_id, round, released_at)
    select account_id, id, 0, now() from jobs where id = ${readId('job', world.ids.job ?? '')}`.execute(
    service.context.db,
  );
  for (const name of ['One', 'Two'])
    await newShowLink(world, { name, job_ids: [(await finishJob(world, 'work.txt')).job] });
  await newJobIn(world, 'canceled');
  await newJobIn(world, 'canceled', { service_family: 'data', service_type: 'data_cleaning' });
  const own = await signIn(service, member.email);
  for (const name of ['One', 'Two']) {
    await post(service, own.token, '/api/auth/accounts', { name });
    await post(service, own.token, '/api/auth/invitations', { email: ada.email, role: 'member' });
  }
});
afterAll(() => world.service.close());

type Page = { rows: object[]; next_cursor: string | null };

async function read(endpoint: Endpoint, query: string): Promise<Page> {
  const id = world.ids[prefixOf(endpoint) ?? ''];
  // All changes are more than a page.
  const some = endpoint.operationId === 'listAudit' ? '&actor=operator' : '';
  const path = `${pathFor(endpoint, id)}?${query}${some}`;
  const { status, body } = await send(world.service, 'GET', path, { as: credentialFor(endpoint, world) });
  expect(status, JSON.stringify(body)).toBe(200);
  return { rows: body[rowsOf(endpoint)[0]![0]], next_cursor: body.next_cursor };
}

describe('a list read page by page is the whole list', () => {
  sweep('each', titled(lists), async (endpoint) => {
    const whole = await read(endpoint, 'limit=100');
    expect(whole.next_cursor).toBeNull();
    expect(whole.rows.length).toBeGreaterThan(1);
    const rows: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const part: Page = await read(endpoint, `limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(part.rows).toHaveLength(1);
      rows.push(...part.rows);
      cursor = part.next_cursor;
    }
    expect(rows).toEqual(whole.rows);
  });
});

describe('a list refuses the cursor of another list', () => {
  sweep('each', titled(lists), async (endpoint) => {
    const other = lists[(lists.indexOf(endpoint) + 1) % lists.length]!;
    const { next_cursor } = await read(other, 'limit=1');
    const id = world.ids[prefixOf(endpoint) ?? ''];
    for (const cursor of [next_cursor, 'x', 'x.y']) {
      const query = { ...endpoint, path: `${endpoint.path}?cursor=${encodeURIComponent(cursor ?? '')}` };
      const { status, body } = await ask(world, query, id === undefined ? {} : { id });
      expect([status, body.error.details[0].location]).toEqual([400, 'cursor']);
    }
  });
});
