import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/openapi.ts';
import { ask, createWorld, prefixOf, titled, type World } from '../support/every-endpoint.ts';
import { makeMoves, post, setPlan } from '../support/jobs.ts';
import { check, comment, type Delivered, deliver, newDelivery, newRevision, reply, settle } from '../support/review.ts';
import { newReviewLink, replyAsGuest, sayAsGuest } from '../support/review-links.ts';
import { sweep } from '../support/sweep.ts';
import { claim, makeWorker } from '../support/workers.ts';

/** Comments of members, keys and guests in a job under review, and in one that was approved. */
let world: World;
let inReview: Delivered;
let approved: Delivered;
let worker: string;
/** Texts and ids that the studio must never read. */
const secrets: string[] = [];
/** Ids of comments that no revision sends. */
const neverSent: string[] = [];

beforeAll(async () => {
  world = await createWorld();
  await setPlan(world.service, world.ada, 'studio', { concurrency_limit: 1000 });
  worker = await makeWorker(world);
  const revision = await newRevision(world, 'Sent before.');
  await check(world, revision.id, revision.comments[0]!);
  await makeMoves(world, revision.id, 'start');
  inReview = { id: revision.id, file: await deliver(world, revision.id) };
  approved = await newDelivery(world);
  for (const delivery of [inReview, approved]) {
    const { guest } = await newReviewLink(world, delivery.id, { can_comment: true });
    const answers = [
      await comment(world, delivery, 'Between ourselves, by a person.', undefined, world.ada.token),
      await comment(world, delivery, 'Between ourselves, by a key.'),
      await sayAsGuest(world.service, guest, delivery.file, 'Between ourselves, by a guest.'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(201);
      const { id } = body.comment;
      const replied = [
        await reply(world, delivery.id, id, 'Between ourselves, a reply.'),
        await replyAsGuest(world.service, guest, id, 'Between ourselves, a reply of a guest.'),
      ];
      expect(replied.map((answer) => answer.status)).toEqual([201, 201]);
      secrets.push(id, ...replied[1]!.body.comment.replies.map((each: { id: string }) => each.id));
    }
    const settled = await comment(world, delivery, 'Between ourselves, settled.');
    await settle(world, delivery.id, settled.body.comment.id);
    neverSent.push(settled.body.comment.id);
  }
  secrets.push(...neverSent, 'Between ourselves');
  await makeMoves(world, approved.id, 'approve');
});
afterAll(() => world.service.close());

const seen = (body: unknown): string[] => secrets.filter((secret) => JSON.stringify(body ?? null).includes(secret));

describe('a comment that was not sent is in no answer to the studio', () => {
  const ofStudio = endpoints.filter(({ auth, answers }) => auth === 'operator' || (auth === 'desk' && answers[200]));
  const readings = ofStudio.filter(({ method, answers }) => method === 'GET' && !answers[200]?.stream);

  test('there are such answers', () => expect(readings.length).toBeGreaterThan(15));

  sweep('each', titled(readings), async (endpoint) => {
    const ids = prefixOf(endpoint) === 'job' ? [inReview.id, approved.id] : [world.ids[prefixOf(endpoint) ?? '']];
    for (const id of ids)
      for (const as of [world.operator.token, worker]) {
        const { body } = await ask(world, endpoint, { as, ...(id === undefined ? {} : { id }) });
        expect(seen(body)).toEqual([]);
      }
  });

  test('the whole audit log of the operators', async () => {
    const { status, body } = await world.service.call('GET', '/api/operator/v1/audit', {
      as: world.operator.token,
      headers: { accept: 'application/x-ndjson' },
    });
    expect(status).toBe(200);
    expect(seen(body)).toEqual([]);
  });

  test('the log of the account, from which webhooks are sent', async () => {
    const { status, body } = await world.service.call('GET', '/api/v1/events?limit=100', { as: world.key });
    expect(status).toBe(200);
    expect(seen(body)).toEqual([]);
  });

  test('notes, refusals and what else the studio does with the job', async () => {
    const { token } = world.operator;
    for (const { id } of [inReview, approved])
      for (const verb of ['notes', 'start', 'submit', 'reject', 'hold']) {
        const bodies: Record<string, object> = {
          notes: { body: 'A note.' },
          reject: { code: 'other', message: 'No.' },
        };
        const { body } = await post(world.service, token, `/api/operator/v1/jobs/${id}/${verb}`, bodies[verb] ?? {});
        expect(seen(body)).toEqual([]);
      }
  });
});

test('once they are sent, the claim of a worker has them all with their replies, but none that is settled', async () => {
  await post(world.service, world.key, `/api/v1/jobs/${inReview.id}/revision`, { round: 1 });
  await makeMoves(world, world.ids.job!, 'cancel'); // the only other job to claim
  await makeMoves(world, inReview.id, 'release');
  const { body } = await claim(world, worker, { service_families: ['design'] });
  expect([body.job.id, body.revision.comments.length]).toEqual([inReview.id, 3]);
  expect(seen(body)).toHaveLength(10);
  for (const id of neverSent) expect(JSON.stringify(body)).not.toContain(id);
  expect(JSON.stringify(body)).not.toContain('settled.');
});
