import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { createStudio, sharedStudio, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { addMember, alsoMember, closeAccount, goodPassword, makeKey } from '../../test/support/people.ts';
import { newReviewLink, readReview } from '../../test/support/review-links.ts';
import { showId } from '../lib/id.ts';

/** A link ends with the rights of whoever made it, in the transaction that ends them. */
let studio: Studio;
let job: string;
beforeAll(async () => {
  studio = await sharedStudio();
  job = await newJob(studio.service, studio.key);
});

type Link = Awaited<ReturnType<typeof newReviewLink>>;
const linkBy = (key: string, id = job) => newReviewLink({ service: studio.service, key }, id);
const works = async ({ guest }: Link) => (await readReview(studio.service, guest)).status === 200;
const auditOf = async ({ review_link_id }: Link) =>
  (
    await studio.service.call('GET', `/api/v1/audit?subject=${review_link_id}&action=review_link.revoked`, {
      as: studio.ada.token,
    })
  ).body.audit_entries;

const remove = (memberId: string, body: object = {}) =>
  studio.service.call('DELETE', `/api/auth/members/${showId('mem', memberId)}`, { as: studio.ada.token, body });

describe('with a person', () => {
  test('who is removed: their links and those of their keys end, and rejoining does not bring them back', async () => {
    const admin = await addMember(studio.service, studio.ada, 'admin');
    const own = await linkBy(admin.token);
    const byKey = await linkBy(await makeKey(studio.service, admin));
    const others = await linkBy(studio.ada.token);
    expect((await remove(admin.memberId)).status).toBe(200);
    expect([await works(own), await works(byKey), await works(others)]).toEqual([false, false, true]);
    expect(await auditOf(own)).toMatchObject([{ actor: 'customer', details: { job_id: job } }]);
    expect(await auditOf(byKey)).toHaveLength(1);
    await alsoMember(studio.service, admin, studio.ada, 'admin');
    expect([await works(own), await works(byKey)]).toEqual([false, false]);
  });

  test('whose work is taken over: the links go on under the name of the heir', async () => {
    const admin = await addMember(studio.service, studio.ada, 'admin');
    const own = await linkBy(admin.token);
    const byKey = await linkBy(await makeKey(studio.service, admin));
    expect((await remove(admin.memberId, { take_over: true })).status).toBe(200);
    expect([await works(own), await works(byKey)]).toEqual([true, true]);
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${job}/review-links?limit=100`, { as: studio.key });
    const link = body.review_links.find(({ id }: { id: string }) => id === own.review_link_id);
    expect(link.created_by.id).toBe(showId('user', studio.ada.userId));
  });

  test('who leaves', async () => {
    const member = await addMember(studio.service, studio.ada, 'member');
    const own = await linkBy(member.token);
    const path = `/api/auth/accounts/${showId('acct', studio.ada.accountId)}/leave`;
    expect((await post(studio.service, member.token, path)).status).toBe(200);
    expect(await works(own)).toBe(false);
  });

  test('who becomes a member: their own links stay, those of their revoked keys end', async () => {
    const admin = await addMember(studio.service, studio.ada, 'admin');
    const own = await linkBy(admin.token);
    const byKey = await linkBy(await makeKey(studio.service, admin));
    const changed = await studio.service.call('PATCH', `/api/auth/members/${showId('mem', admin.memberId)}`, {
      as: studio.ada.token,
      body: { role: 'member' },
    });
    expect(changed.status).toBe(200);
    expect([await works(own), await works(byKey)]).toEqual([true, false]);
  });

  test('who is deleted: the link ends and keeps no name', async () => {
    const member = await addMember(studio.service, studio.ada, 'member');
    const own = await linkBy(member.token);
    expect((await post(studio.service, member.token, '/api/auth/delete', { password: goodPassword })).status).toBe(200);
    expect(await works(own)).toBe(false);
    const { body } = await studio.service.call('GET', `/api/v1/jobs/${job}/review-links?limit=100`, { as: studio.key });
    const link = body.review_links.find(({ id }: { id: string }) => id === own.review_link_id);
    expect(link).toMatchObject({ name: 'Deleted', status: 'revoked', created_by: { name: 'Deleted person' } });
  });

  test('a link that is made while its maker is removed works only if the removal failed', async () => {
    for (let n = 0; n < 5; n++) {
      const member = await addMember(studio.service, studio.ada, 'member');
      const path = `/api/v1/jobs/${job}/review-links`;
      const [made, removed] = await Promise.all([
        post(studio.service, member.token, path, { name: 'Race' }),
        remove(member.memberId),
      ]);
      expect(removed.status).toBe(200);
      if (made.status === 201) expect((await readReview(studio.service, { review: made.body.token })).status).toBe(404);
      else expect(made.body.error.code).toBe('no_active_account');
    }
  });
});

describe('with an API key', () => {
  test('that is revoked; one that is rotated or expires leaves its links alone', async () => {
    const { body } = await post(studio.service, studio.ada.token, '/api/v1/api-keys', { name: 'agent' });
    const link = await linkBy(body.plaintext_key);
    await post(studio.service, studio.ada.token, `/api/v1/api-keys/${body.api_key.id}/rotate`, { overlap_hours: 0 });
    expect(await works(link)).toBe(true);
    await studio.service.call('DELETE', `/api/v1/api-keys/${body.api_key.id}`, { as: studio.ada.token });
    expect(await works(link)).toBe(false);
    expect(await auditOf(link)).toHaveLength(1);
  });
});

describe('with the account', () => {
  test('that is closed: every link ends and keeps no name', async () => {
    const other = await createStudio();
    const own = await newReviewLink(other, await newJob(other.service, other.key));
    await closeAccount(other.service, other.ada);
    const answer = await readReview(other.service, own.guest);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'review_link_not_found']);
    const { rows } = await sql<{ name: string }>`select name from review_links`.execute(other.service.context.db);
    expect(rows).toEqual([{ name: 'Deleted' }]);
    await other.service.close();
  });
});
