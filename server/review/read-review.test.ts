import { beforeAll, describe, expect, test } from 'vitest';
import { newDeliverable, newFile, someBytes } from '../../test/support/files.ts';
import type { As } from '../../test/support/harness.ts';
import { createStudio, sharedStudio, makeMoves, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { deliverFiles, deliverTo, newReviewLink, readReview, revoke } from '../../test/support/review-links.ts';
import { mintKey } from '../keys/key-finder.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const reviewOf = async (guest: As) => (await readReview(studio.service, guest)).body.review;

describe('200', () => {
  test('200: the delivered files of the job, the newest round first, and nothing else', async () => {
    const { service, ada, operator } = studio;
    const { job, files } = await deliverFiles(studio, 'logo.png', 'logo large.png');
    const link = await newReviewLink({ service, key: ada.token }, job, { can_comment: true });
    const { status, body } = await readReview(service, link.guest);
    expect(status).toBe(200);
    const unknown = { poster: null, width: null, height: null, viewing_copy: 'none' };
    const file = { content_type: 'image/png', size_bytes: 2_000, poster_status: 'pending', ...unknown };
    expect(body).toEqual({
      review: {
        job_title: 'Logo for a neighbourhood bakery',
        studio_name: 'Atelier',
        shared_by: { name: 'Ada Lovelace' },
        can_comment: true,
        expires_at: link.body.review_link.expires_at,
        round: 0,
        status_open: true,
        files: [
          { ...file, id: files[0], name: 'logo.png', round: 0 },
          { ...file, id: files[1], name: 'logo large.png', round: 0 },
        ],
      },
    });

    // Uploads of the customer, and work that the customer does not see yet, stay hidden.
    await newFile(service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
    await makeMoves(studio, job, 'revision', 'start');
    await newDeliverable(service, operator.token, job, someBytes(), { file_name: 'draft.png' });
    expect(await reviewOf(link.guest)).toMatchObject({ round: 0, status_open: false, files: body.review.files });

    const [second] = await deliverTo(studio, job, 'logo.png');
    expect(await reviewOf(link.guest)).toMatchObject({
      round: 1,
      status_open: true,
      files: [{ id: second, round: 1 }, ...body.review.files],
    });
    await makeMoves(studio, job, 'approve');
    expect(await reviewOf(link.guest)).toMatchObject({ round: 1, status_open: false });
  });

  test('200 before the first delivery: no files yet', async () => {
    const link = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    expect(await reviewOf(link.guest)).toMatchObject({ round: null, status_open: false, files: [] });
  });

  test('200: a link of an API key is shared by the account, not under the name of the key', async () => {
    const { guest } = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    const { body } = await studio.service.call('GET', '/api/auth/session', { as: studio.ada.token });
    expect((await reviewOf(guest)).shared_by).toEqual({ name: body.account.name });
  });

  test('files whose bytes are gone are not listed', async () => {
    const { job, files } = await deliverFiles(studio, 'one.png', 'two.png');
    const { guest } = await newReviewLink(studio, job);
    await studio.service.context.db
      .updateTable('files')
      .set({ status: 'deleted', deleted_at: new Date() })
      .where('file_name', '=', 'one.png')
      .execute();
    expect((await reviewOf(guest)).files.map(({ id }: { id: string }) => id)).toEqual([files[1]]);
  });

  test('the first opening is recorded once, also by two guests at once', async () => {
    const link = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    await Promise.all([1, 2, 3].map(() => readReview(studio.service, link.guest)));
    const { body } = await studio.service.call(
      'GET',
      `/api/v1/audit?subject=${link.review_link_id}&action=review_link.opened`,
      { as: studio.ada.token },
    );
    expect(body.audit_entries).toHaveLength(1);
    expect(body.audit_entries[0]).toMatchObject({ actor: 'customer', created_by: null, address: expect.any(String) });
  });
});

describe('404 review_link_not_found', () => {
  test('404 review_link_not_found: one and the same answer, whatever is wrong', async () => {
    const { service, ada, key, operator } = studio;
    const { job } = await deliverFiles(studio, 'logo.png');
    const [good, revoked, expired] = [
      await newReviewLink(studio, job),
      await newReviewLink(studio, job, { name: 'Revoked' }),
      await newReviewLink(studio, job, { name: 'Expired' }),
    ];
    await revoke(studio, revoked);
    await service.context.db
      .updateTable('review_links')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('name', '=', 'Expired')
      .execute();
    const wrongSecret = good.token.slice(0, 13) + mintKey('atr').plaintext.slice(13);
    const header = (authorization: string) => ({ headers: { authorization } });
    const tries: [string, { as?: As; headers?: Record<string, string> }][] = [
      ['nothing', {}],
      ['a revoked link', { as: revoked.guest }],
      ['an expired link', { as: expired.guest }],
      ['an unknown token', { as: { review: mintKey('atr').plaintext } }],
      ['a wrong secret', { as: { review: wrongSecret } }],
      ['a mistyped token', { as: { review: `${good.token}x` } }],
      ['junk', { as: { review: 'junk' } }],
      ['an empty token', header('Review ')],
      ['two tokens', header(`Review ${good.token} ${good.token}`)],
      ['another scheme', header(`Bearer ${good.token}`)],
      ['no scheme', header(good.token)],
      ['an API key', { as: key }],
      ['an API key as token', { as: { review: key } }],
      ['a session', { as: ada.token }],
      ['a session of an operator', { as: operator.token }],
      ['a browser that is signed in', { as: ada }],
    ];
    const seen = [];
    for (const [who, options] of tries) {
      const { status, body, headers } = await service.call('GET', '/api/v1/review', options);
      const { request_id: _, ...error } = body.error;
      seen.push(error);
      expect([who, status, error]).toEqual([who, 404, seen[0]]);
      expect(headers.get('www-authenticate')).toBeNull();
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(seen[0].code).toBe('review_link_not_found');
    const still = await service.call('GET', '/api/v1/review', { as: good.guest });
    expect(still.status).toBe(200);
  });

  test('a link beside a cookie works for the link alone, from any page', async () => {
    const { service, ada } = studio;
    const { guest } = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    const headers = { cookie: ada.cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const { status, headers: answered } = await service.call('GET', '/api/v1/review', { as: guest, headers });
    expect([status, answered.get('set-cookie'), answered.get('access-control-allow-origin')]).toEqual([
      200,
      null,
      null,
    ]);
  });

  test('the token is a credential nowhere else', async () => {
    const { service } = studio;
    const { guest, token } = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    for (const path of ['/api/v1/jobs', '/api/v1/me', '/api/auth/session', '/api/operator/v1/jobs'])
      for (const as of [guest, token]) {
        const { status, body } = await service.call('GET', path, { as });
        expect([path, status, body.error?.code]).toEqual([path, 401, 'unauthenticated']);
      }
  });

  test('a wrong token takes as long as a refusal of any credential, and so does an ended link', async () => {
    const { service } = studio;
    const link = await newReviewLink(studio, await newJobIn(studio, 'queued'));
    await revoke(studio, link);
    for (const guest of [link.guest, { review: mintKey('atr').plaintext }, { review: 'junk' }]) {
      const before = performance.now();
      await readReview(service, guest);
      expect(performance.now() - before).toBeGreaterThan(4.5);
    }
  });
});

describe('429 rate_limit_exceeded', () => {
  test('429: each link has a rate of its own', async () => {
    const limited = await createStudio({ RATE_OPEN_REVIEW: 'link=2/60' });
    const job = await newJobIn(limited, 'queued');
    const [one, two] = [await newReviewLink(limited, job), await newReviewLink(limited, job)];
    const statuses = [];
    for (const { guest } of [one, one, one, two]) statuses.push((await readReview(limited.service, guest)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
    await limited.service.close();
  });

  test('429: an address that tries many tokens, while a good one still works from it', async () => {
    const limited = await createStudio({ RATE_BAD_CREDENTIAL: 'address=2/60' });
    const { guest } = await newReviewLink(limited, await newJobIn(limited, 'queued'));
    const statuses = [];
    for (const as of [{ review: 'a' }, { review: 'b' }, { review: 'c' }, guest])
      statuses.push((await readReview(limited.service, as)).status);
    expect(statuses).toEqual([404, 404, 429, 200]);
    await limited.service.close();
  });
});
