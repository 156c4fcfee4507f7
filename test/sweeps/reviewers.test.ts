import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { showId } from '../../server/lib/id.ts';
import { newApp, serveDocuments } from '../support/app-documents.ts';
import { connectApp } from '../support/apps.ts';
import { ask, createWorld, said, sendTo, pathFor, titled, type World } from '../support/every-endpoint.ts';
import { newBrand, newReference } from '../support/brand.ts';
import { followEvents } from '../support/event-stream.ts';
import { someBytes } from '../support/files.ts';
import { newJob, newJobIn, post, tryMove } from '../support/jobs.ts';
import { call, connect } from '../support/mcp.ts';
import { addMaker, decline, newOrder } from '../support/orders.ts';
import { addMember, makeKey, type TestPerson } from '../support/people.ts';
import { comment, newDelivery, reply, settle } from '../support/review.ts';
import { sweep, sweepUnchanged } from '../support/sweep.ts';

/** Each rule of what a reviewer may do, with its operations. A new one of `caller` is closed until it stands here. */
const rules: Record<string, string[]> = {
  'knows who they are, and who else is here': ['readMe', 'listMembers'],
  'sees jobs': ['listJobs', 'countJobs', 'readJob', 'listJobEvents', 'listEvents', 'streamEvents'],
  'sees files': ['listFiles', 'readFile', 'downloadFile', 'createDownload', 'createArchive', 'openArchive'],
  'sees finished work': ['listLibrary', 'countLibrary', 'createLibraryArchive'],
  comments: ['listComments', 'createComment', 'updateComment', 'deleteComment'],
  'takes part in the talk of a review': ['createReply', 'deleteReply', 'settleComment', 'lookAtReview', 'askToLook'],
  'approves, and asks for changes': ['approveJob', 'requestRevision'],
  'writes, and answers questions': [
    'listMessages',
    'sendMessage',
    'withdrawMessage',
    'readMessages',
    'countUnread',
    'followJob',
  ],
  'adds a file to what they write': ['presignUpload', 'completeUpload', 'createPoster'],
};
const open = Object.values(rules).flat();

const ofCallers = endpoints.filter(({ auth }) => auth === 'caller');
const closed = ofCallers.filter(({ operationId }) => !open.includes(operationId));
const managed = endpoints.filter(({ auth }) => auth === 'manager');

let world: World;
let reviewer: TestPerson;
let app: string;
let documents: Awaited<ReturnType<typeof serveDocuments>>;
beforeAll(async () => {
  documents = await serveDocuments();
  world = await createWorld({ WEBHOOK_ALLOW: '127.0.0.1' });
  reviewer = await addMember(world.service, world.ada, 'reviewer');
  app = (await connectApp(world.service, reviewer, newApp(documents.at('reader.json')))).access_token;
});
afterAll(async () => {
  documents.close();
  await world.service.close();
});

test('the contract opens to reviewers what the rules name, and nothing else', () => {
  const opened = ofCallers.filter(({ reviewers }) => reviewers).map(({ operationId }) => operationId);
  expect(opened.toSorted()).toEqual(open.toSorted());
});

describe.each(Object.entries(rules))('a reviewer %s', (_, operations) => {
  sweep('each', titled(ofCallers.filter(({ operationId }) => operations.includes(operationId))), async (endpoint) => {
    const { status, body } =
      endpoint.answers[200] && 'stream' in endpoint.answers[200]
        ? { status: 200, body: null }
        : await ask(world, endpoint, { as: reviewer.token });
    expect([status, body?.error?.code]).not.toEqual([403, 'role_required']);
    expect(status).not.toBe(401);
  });
});

describe('403 role_required for everything else, of which nothing happens, by session and by app', () => {
  sweepUnchanged(
    'each',
    () => world.service,
    titled(closed),
    async (endpoint) => {
      for (const as of [reviewer.token, app]) {
        const answer = await ask(world, endpoint, { as });
        expect(said(answer)).toBe('403 role_required');
        expect(answer.body.error.message).toBe('This needs an owner, admin or member of the account.');
      }
    },
  );
  sweepUnchanged(
    'what owners and admins manage',
    () => world.service,
    titled(managed),
    async (endpoint) => {
      const answer = await sendTo(world.service, endpoint, pathFor(endpoint), { as: reviewer.token });
      expect(said(answer)).toBe('403 role_required');
    },
  );
});

test('200: a reviewer approves, asks for changes and answers', async () => {
  const { service } = world;
  const [approved, revised] = [
    await newJobIn(world, 'ready_for_customer_review'),
    await newJobIn(world, 'ready_for_customer_review'),
  ];
  expect((await tryMove({ ...world, key: reviewer.token }, approved, 'approve')).status).toBe(200);
  expect((await tryMove({ ...world, key: reviewer.token }, revised, 'revision')).status).toBe(200);
  expect((await post(service, reviewer.token, `/api/v1/jobs/${revised}/messages`, { text: 'Rounder.' })).status).toBe(
    201,
  );
});

test('200: a reviewer replies, takes it back, settles, looks and asks a colleague to look', async () => {
  const { service, ada } = world;
  const { token } = reviewer;
  const delivery = await newDelivery(world);
  const { id } = (await comment(world, delivery, 'Blue.')).body.comment;
  const path = `/api/v1/jobs/${delivery.id}`;
  const { status, body } = await reply(world, delivery.id, id, 'Green.', token);
  expect(status).toBe(201);
  const replied = `${path}/comments/${id}/replies/${body.comment.replies[0].id}`;
  expect((await service.call('DELETE', replied, { as: token })).status).toBe(200);
  expect((await settle(world, delivery.id, id, true, token)).status).toBe(200);
  const { body: seen } = await service.call('PUT', `${path}/looking`, { as: token, body: { looking: true } });
  expect(seen.lookers).toMatchObject([{ you: true }]);
  expect((await post(service, token, `${path}/ask-to-look`, { user_id: showId('user', ada.userId) })).status).toBe(200);
});

test('the files of the brand kit and of templates do not exist for a reviewer and their app', async () => {
  const { service, key } = world;
  const kit = await newBrand(service, key, someBytes());
  const template = await newReference(service, key, someBytes());
  const fields = { name: 'Monthly logo', service_family: 'design', service_type: 'logo', file_ids: [template.id] };
  expect((await post(service, key, '/api/v1/templates', fields)).status).toBe(201);
  const plain = await newReference(service, key, someBytes());
  const statuses = (as: string, { id }: { id: string }) =>
    Promise.all(
      [`files/${id}`, `files/${id}/download`].map(
        async (path) => (await service.call('GET', `/api/v1/${path}`, { as })).status,
      ),
    );
  for (const as of [reviewer.token, app]) {
    const { files } = (await service.call('GET', '/api/v1/files?limit=3', { as })).body;
    const ids = files.map(({ id }: { id: string }) => id);
    expect([kit, template, plain].map(({ id }) => ids.includes(id))).toEqual([false, false, true]);
    for (const hidden of [kit, template]) expect(await statuses(as, hidden)).toEqual([404, 404]);
    expect(await statuses(as, plain)).toEqual([200, 303]);
  }
  expect(await statuses(key, kit)).toEqual([200, 303]);
  expect((await post(service, reviewer.token, `/api/v1/files/${kit.id}/download`)).status).toBe(404);
});

test('an app of a reviewer reads what they see, never writes, and is not told to ask for more', async () => {
  const client = await connect(world.service, app);
  const { body } = await call(client, 'get_account');
  expect(body.entitlement_summary).toMatchObject({ active: false, plan_codes: [], plans: [] });
  const shown = (await client.listTools()).tools.map(({ name }) => name);
  expect(shown).toEqual(expect.arrayContaining(['get_catalog', 'list_jobs', 'get_job', 'wait_for_events']));
  for (const name of ['get_usage', 'preflight_job', 'read_intake', 'create_job', 'approve_job'])
    expect(shown).not.toContain(name);
  expect((await call(client, 'list_jobs')).isError).toBe(false);
  for (const [tool, args] of [
    ['get_usage', {}],
    ['create_job', { idempotency_key: 'x' }],
    ['read_intake', { session_id: world.ids['ise'] }],
    ['preflight_job', {}],
  ] as const)
    expect([tool, (await call(client, tool, args)).body.code]).toEqual([
      tool,
      expect.stringMatching(/role_required|invalid_request/),
    ]);
  const job = await newJobIn(world, 'ready_for_customer_review');
  expect((await call(client, 'approve_job', { job_id: job })).body.code).toBe('insufficient_scope');
  await client.close();
});

describe('the log', () => {
  const tellsNothing = ['entitlement.changed', 'api_key.created', 'api_key.revoked', 'order.declined'];
  test('has no plan, key or order in it for a reviewer or their app, by cursor and by stream', async () => {
    const { service, ada, key } = world;
    const start = (await service.call('GET', '/api/v1/events', { as: key })).body.latest;
    await makeKey(service, ada);
    await decline(service, ada.token, await newOrder(service, await addMaker(service, ada)));
    const job = await newJob(service, key);
    const types = async (as: string, query = '') => {
      const { body } = await service.call('GET', `/api/v1/events?after=${start}${query}`, { as });
      return body.events.map(({ type }: { type: string }) => type);
    };
    expect(await types(key)).toEqual(['api_key.created', 'order.declined', 'job.created']);
    for (const as of [reviewer.token, app]) {
      expect(await types(as)).toEqual(['job.created']);
      expect(await types(as, `&types=${tellsNothing.join()}`)).toEqual([]);
      const stream = await followEvents(service, as, { lastEventId: String(start) });
      expect((await stream.events(1))[0]?.data).toMatchObject({ type: 'job.created', job: { id: job } });
      await stream.close();
    }
  });

  test('ends a stream of somebody who becomes a reviewer', async () => {
    const { service, ada } = world;
    const member = await addMember(service, ada, 'member');
    const stream = await followEvents(service, member.token);
    const path = `/api/auth/members/${showId('mem', member.memberId)}`;
    await service.call('PATCH', path, { as: ada.token, body: { role: 'reviewer' } });
    for (let entry = await stream.next(); entry !== null; entry = await stream.next());
    await stream.close();
  });
});
