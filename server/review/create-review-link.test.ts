import { beforeAll, describe, expect, test } from 'vitest';
import { createStudio, sharedStudio, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';
import { newReviewLink, readReview, revoke } from '../../test/support/review-links.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
let job: string;
beforeAll(async () => {
  studio = await sharedStudio();
  job = await newJob(studio.service, studio.key);
});

const create = (fields: object = {}, as: Parameters<typeof post>[1] = studio.key, id = job, key?: string) =>
  post(studio.service, as, `/api/v1/jobs/${id}/review-links`, { name: 'Marketing', ...fields }, key);

describe('201', () => {
  test('201: a link with a token, which works for two weeks and takes no comments', async () => {
    const { status, body, headers } = await create({}, studio.ada.token);
    expect(status).toBe(201);
    expect(body.token).toMatch(/^atr_[0-9a-hjkmnp-tv-z]{8}_[0-9A-Za-z]{49}$/);
    expect(body.url).toBe(`http://localhost:3000/review#${body.token}`);
    expect(headers.get('location')).toBe(`/api/v1/jobs/${job}/review-links`);
    expect(body.review_link).toEqual({
      id: expect.stringMatching(/^rvl_/),
      job_id: job,
      name: 'Marketing',
      can_comment: false,
      status: 'active',
      created_by: { kind: 'user', id: showId('user', studio.ada.userId), name: 'Ada Lovelace' },
      created_at: expect.any(String),
      expires_at: expect.any(String),
      comment_count: 0,
      unsent_comment_count: 0,
      opened_at: null,
      revoked_at: null,
    });
    const { created_at, expires_at } = body.review_link;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(14 * 24 * 3600_000);
    expect((await readReview(studio.service, { review: body.token })).status).toBe(200);
  });

  test('201: for a day, with comments, by an API key and by a member', async () => {
    const { body } = await create({ expires_in_days: 1, can_comment: true });
    const { created_at, expires_at, ...link } = body.review_link;
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(24 * 3600_000);
    expect(link).toMatchObject({ can_comment: true, created_by: { kind: 'api_key' } });
    const member = await addMember(studio.service, studio.ada, 'member');
    expect((await create({}, member.token)).status).toBe(201);
  });

  test('201 again for a repeat with the same key, without the token', async () => {
    const first = await create({}, studio.key, job, 'once');
    const again = await create({}, studio.key, job, 'once');
    expect(again.status).toBe(201);
    expect(again.body).toEqual({
      review_link: first.body.review_link,
      token: null,
      url: null,
      next_action: expect.stringContaining(`/review-links/${first.body.review_link.id}/revoke`),
    });
  });
});

describe('refusals', () => {
  test('403 limit_reached: the job has 20 live links, also when they are made at once', async () => {
    const full = await newJob(studio.service, studio.key);
    const answers = await Promise.all(Array.from({ length: 22 }, () => create({}, studio.key, full)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused.map(({ body }) => body.error.code)).toEqual(['limit_reached', 'limit_reached']);
    const review_link_id = answers.find(({ status }) => status === 201)?.body.review_link.id;
    await revoke(studio, { id: full, review_link_id });
    expect((await create({}, studio.key, full)).status).toBe(201);
    expect((await create({}, studio.key, full)).body.error.code).toBe('limit_reached');
    await studio.service.context.db
      .updateTable('review_links')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('name', '=', 'Marketing')
      .where('revoked_at', 'is', null)
      .execute();
    expect((await create({}, studio.key, full)).status).toBe(201);
  });

  test('403 insufficient_scope: a key that may only read', async () => {
    const { body } = await create({}, await makeKey(studio.service, studio.ada, ['api:read']));
    expect(body.error.code).toBe('insufficient_scope');
  });

  test.each([
    ['/name', { name: '' }],
    ['/name', { name: 'https://evil.example' }],
    ['/name', { name: 'x'.repeat(101) }],
    ['/expires_in_days', { expires_in_days: 31 }],
    ['/expires_in_days', { expires_in_days: 0 }],
    ['/can_comment', { can_comment: 'yes' }],
  ])('422 invalid_request: %s of %j', async (location, fields) => {
    const { status, body } = await create(fields);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });

  test('429 rate_limit_exceeded: more links than the rate of the account', async () => {
    const limited = await createStudio({ RATE_CREATE_REVIEW_LINK: 'account=1/60' });
    const id = await newJob(limited.service, limited.key);
    await newReviewLink(limited, id);
    const { status } = await post(limited.service, limited.key, `/api/v1/jobs/${id}/review-links`, { name: 'Two' });
    expect(status).toBe(429);
    await limited.service.close();
  });
});
