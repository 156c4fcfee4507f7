import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { unknownFile } from '../../test/support/files.ts';
import {
  createStudio,
  sharedStudio,
  makeMoves,
  newJobIn,
  post,
  setPlan,
  type Studio,
} from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';
import { newReviewLink, revoke, sayAsGuest } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

/** A delivery with a link that allows comments. */
async function shared() {
  const delivery = await newDelivery(studio);
  const link = await newReviewLink(studio, delivery.id, { can_comment: true });
  const say = (text: string, fields: object = {}) =>
    sayAsGuest(studio.service, link.guest, delivery.file, text, fields);
  return { delivery, link, say };
}

describe('201', () => {
  test('201: under the name that the guest enters, at a place, seen by members at once', async () => {
    const { delivery, say } = await shared();
    await comment(studio, delivery, 'Mine.');
    const { status, body, headers } = await say('Rounder.', { at: 'xywh=percent:40.0,25,0,0' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/api/v1/review/comments');
    expect(body.comment).toMatchObject({
      round: 0,
      number: 2,
      file_id: delivery.file,
      at: 'xywh=percent:40,25,0,0',
      text: 'Rounder.',
      author: { kind: 'guest', name: 'Vera' },
      editable: true,
      sent_at: null,
    });
    expect(await commentsOf(studio, delivery.id)).toMatchObject([
      { text: 'Mine.' },
      { id: body.comment.id, author: { kind: 'guest', name: 'Vera' }, editable: false },
    ]);
  });

  test('the studio sees nothing of it until changes are requested, and then under the same name', async () => {
    const { service, operator, ada } = studio;
    const { delivery, link, say } = await shared();
    const { body } = await say('A secret wish.');
    const desk = async () => {
      const read = await service.call('GET', `/api/operator/v1/jobs/${delivery.id}`, { as: operator.token });
      const audit = await service.call('GET', `/api/operator/v1/audit?subject=${link.review_link_id}`, {
        as: operator.token,
      });
      return JSON.stringify([read.body, audit.body]);
    };
    for (const text of ['A secret wish.', 'Vera', body.comment.id, 'commented'])
      expect(await desk()).not.toContain(text);
    const mine = await service.call('GET', `/api/v1/audit?subject=${link.review_link_id}`, { as: ada.token });
    expect(mine.body.audit_entries[0]).toMatchObject({
      action: 'review_link.commented',
      actor: 'customer',
      created_by: null,
      details: { job_id: delivery.id, comment_id: body.comment.id },
    });
    expect(JSON.stringify(mine.body)).not.toContain('Vera');
  });

  test('201 again for a repeat with the same key: one comment', async () => {
    const { delivery, link } = await shared();
    const body = { name: 'Vera', file_id: delivery.file, text: 'Once.' };
    const send = (fields: object = {}) =>
      post(studio.service, link.guest, '/api/v1/review/comments', { ...body, ...fields }, 'once');
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await commentsOf(studio, delivery.id)).toHaveLength(1);
    expect((await send({ text: 'Twice.' })).body.error.code).toBe('idempotency_key_conflict');
  });

  test('404 comment_not_found: a repeat with the key of a comment that a member has deleted', async () => {
    const { delivery, link } = await shared();
    const body = { name: 'Vera', file_id: delivery.file, text: 'A slip.' };
    const send = () => post(studio.service, link.guest, '/api/v1/review/comments', body, 'deleted');
    const { comment: made } = (await send()).body;
    const path = `/api/v1/jobs/${delivery.id}/comments/${made.id}`;
    expect((await studio.service.call('DELETE', path, { as: studio.key })).status).toBe(200);
    expect((await send()).body.error.code).toBe('comment_not_found');
  });

  test('a link counts the comments of its guests, and its maker sees the number', async () => {
    const { delivery, say } = await shared();
    await say('One.');
    await say('Two.', { name: 'Otto' });
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${delivery.id}/review-links`, { as: studio.key });
    expect(body.review_links).toMatchObject([{ comment_count: 2 }]);
  });
});

describe('refusals', () => {
  test('403 comments_not_allowed: a link that only shows', async () => {
    const delivery = await newDelivery(studio);
    const { guest } = await newReviewLink(studio, delivery.id);
    const { status, body } = await sayAsGuest(studio.service, guest, delivery.file, 'Rounder.');
    expect([status, body.error.code]).toEqual([403, 'comments_not_allowed']);
  });

  /** Adds copies of the comment with this text, as the service would without a limit. */
  const copy = (text: string, times: number) =>
    sql`
    insert into job_comments (account_id, job_id, round, file_id, text, guest_name, review_link_id)
    select account_id, job_id, round, file_id, text, guest_name, review_link_id
    from job_comments, generate_series(1, ${times}::int) where text = ${text}`.execute(studio.service.context.db);

  test('403 limit_reached: a link with 50 comments that were not sent; another link and members have room', async () => {
    const { delivery, say } = await shared();
    await say('The first of a link.');
    await copy('The first of a link.', 48);
    expect((await say('The fiftieth.')).status).toBe(201);
    const { status, body: refused } = await say('One more.');
    expect([status, refused.error.code]).toEqual([403, 'limit_reached']);
    const other = await newReviewLink(studio, delivery.id, { can_comment: true });
    expect((await sayAsGuest(studio.service, other.guest, delivery.file, 'Mine.')).status).toBe(201);
    await makeMoves(studio, delivery.id, 'revision', 'start');
    const file = await deliver(studio, delivery.id);
    expect((await say('Once they were sent.', { file_id: file })).status).toBe(201);
  });

  test('403 limit_reached: a round with 100 comments of guests; members have room', async () => {
    const { delivery, say } = await shared();
    await say('The first of guests.');
    await copy('The first of guests.', 49);
    const other = await newReviewLink(studio, delivery.id, { can_comment: true });
    await sayAsGuest(studio.service, other.guest, delivery.file, 'The first of others.');
    await copy('The first of others.', 49);
    const third = await newReviewLink(studio, delivery.id, { can_comment: true });
    const { status, body } = await sayAsGuest(studio.service, third.guest, delivery.file, 'One more.');
    expect([status, body.error.code, body.error.message]).toEqual([
      403,
      'limit_reached',
      'The round has 100 comments and replies of guests; it may have 100.',
    ]);
    expect((await comment(studio, delivery, 'There is room.')).status).toBe(201);
  });

  test('404 review_link_not_found: a revoked link, also one that is revoked during the request', async () => {
    const { link, say } = await shared();
    await revoke(studio, link);
    const { status, body } = await say('Rounder.');
    expect([status, body.error.code]).toEqual([404, 'review_link_not_found']);
    for (let n = 0; n < 5; n++) {
      const { delivery, link: open, say: write } = await shared();
      const [written, revoked] = await Promise.all([write('Now.'), revoke(studio, open)]);
      expect(revoked.status).toBe(200);
      const kept = await commentsOf(studio, delivery.id);
      expect([201, 404]).toContain(written.status);
      expect(kept.length).toBe(written.status === 201 ? 1 : 0);
    }
  });

  test('409 invalid_transition: before a delivery, after a request for changes and after approval, with the state', async () => {
    const queued = await newReviewLink(studio, await newJobIn(studio, 'queued'), { can_comment: true });
    const { delivery, link, say } = await shared();
    const early = await sayAsGuest(studio.service, queued.guest, delivery.file, 'Rounder.');
    expect([early.status, early.body.error.code]).toEqual([409, 'invalid_transition']);
    expect(early.body.error.message).toContain('queued');
    await makeMoves(studio, delivery.id, 'revision');
    const revised = await say('Too late.');
    expect([revised.status, revised.body.error.code]).toEqual([409, 'invalid_transition']);
    await makeMoves(studio, delivery.id, 'start');
    const second = await deliver(studio, delivery.id);
    expect((await sayAsGuest(studio.service, link.guest, second, 'Better.')).status).toBe(201);
    await makeMoves(studio, delivery.id, 'approve');
    const approved = await sayAsGuest(studio.service, link.guest, second, 'Too late.');
    expect([approved.status, approved.body.error.code]).toEqual([409, 'invalid_transition']);
    expect(approved.body.error.message).toContain('completed');
  });

  test.each<[string, object]>([
    ['/name', { name: '' }],
    ['/name', { name: 'www.evil.example' }],
    ['/name', { name: 'a\u202eb' }],
    ['/text', { text: ' ' }],
    ['/text', { text: 'x'.repeat(2_001) }],
    ['/at', { at: 'page=2' }],
    ['/at', { at: 'xywh=percent:90,0,20,0' }],
    ['/file_id', { file_id: unknownFile }],
  ])('422 invalid_request: %s of %j', async (location, fields) => {
    const { say } = await shared();
    const { status, body } = await say('Rounder.', fields);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });

  test('422 invalid_request: a file of another job, of an earlier round, and one that was not delivered', async () => {
    const { delivery, link, say } = await shared();
    const other = await newDelivery(studio);
    await makeMoves(studio, delivery.id, 'revision', 'start');
    await deliver(studio, delivery.id);
    for (const file of [other.file, delivery.file]) {
      const { status, body } = await sayAsGuest(studio.service, link.guest, file, 'Rounder.');
      expect([status, body.error.details[0].location]).toEqual([422, '/file_id']);
    }
    expect((await say('Rounder.')).status).toBe(422);
  });

  test('422 unsafe_request: a text that carries a credential', async () => {
    const { say, link } = await shared();
    const { status, body } = await say(`Use our link ${link.token} for it.`);
    expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
    expect(JSON.stringify(body)).not.toContain(link.token);
  });

  test('429 rate_limit_exceeded: each link has a rate of its own', async () => {
    const limited = await createStudio({ RATE_WRITE_GUEST_COMMENT: 'link=1/60' });
    const { id, file } = await newDelivery(limited);
    const statuses = [];
    const [one, two] = [1, 2].map(() => newReviewLink(limited, id, { can_comment: true }));
    for (const { guest } of [await one!, await one!, await two!])
      statuses.push((await sayAsGuest(limited.service, guest, file, 'Rounder.')).status);
    expect(statuses).toEqual([201, 429, 201]);
    await limited.service.close();
  });
});
