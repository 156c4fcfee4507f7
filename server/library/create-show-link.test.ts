import { beforeAll, describe, expect, test } from 'vitest';
import { createReviewArchive, namesIn } from '../../test/support/archives.ts';
import type { As, Got } from '../../test/support/harness.ts';
import { newCustomer, post, setPlan, sharedStudio, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { finishBriefedJob, finishJob, newShowLink } from '../../test/support/library.ts';
import { addMember, goodPassword, makeKey } from '../../test/support/people.ts';
import { deliverFiles, readReview } from '../../test/support/review-links.ts';
import { lockAccount } from '../db/pool.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function fresh(): Promise<Studio> {
  const { person, key } = await newCustomer(studio.service, 'studio');
  return { ...studio, ada: person, key };
}

const codeOf = ({ status, body }: Got) => [status, body.error?.code];
const revoke = (of: Studio, id: string, as: As = of.key) => post(of.service, as, `/api/v1/show-links/${id}/revoke`);
const listLinks = async (of: Studio, as: As = of.key) =>
  (await of.service.call('GET', '/api/v1/show-links', { as })).body.show_links;

describe('201', () => {
  test('201: a link to chosen jobs, which shows their last deliveries and nothing else', async () => {
    const of = await fresh();
    const [one, two] = [await finishBriefedJob(of, 'a.png', 'b.png'), await finishJob(of, 'c.png')];
    await finishJob(of, 'hidden.png');
    const made = await newShowLink(of, { job_ids: [one.job, two.job] }, of.ada.token);
    expect(made.status).toBe(201);
    expect(made.body.token).toMatch(/^ats_/);
    expect(made.body.url).toBe(`http://localhost:3000/review#${made.body.token}`);
    expect(made.headers.get('location')).toBe('/api/v1/show-links');
    expect(made.body.show_link).toEqual({
      id: expect.stringMatching(/^rvl_/),
      job_ids: [two.job, one.job],
      name: 'Our printer',
      status: 'active',
      created_by: { kind: 'user', id: showId('user', of.ada.userId), name: 'Ada Lovelace' },
      created_at: expect.any(String),
      expires_at: expect.any(String),
      opened_at: null,
      revoked_at: null,
    });
    const { status, body } = await readReview(of.service, made.guest);
    expect(status).toBe(200);
    expect(body.review).toMatchObject({ can_comment: false, round: null, status_open: false });
    const title = 'Logo for a neighbourhood bakery';
    expect(body.review.finished).toEqual([
      { job_id: two.job, title, approved_at: expect.any(String), file_ids: two.files },
      { job_id: one.job, title, approved_at: expect.any(String), file_ids: one.files },
    ]);
    expect(body.review.files.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [...one.files, ...two.files].toSorted(),
    );
    expect(JSON.stringify(body)).not.toContain('brief.png');
    const download = (id: string) => post(of.service, made.guest, `/api/v1/review/files/${id}/download`);
    expect((await download(one.files[1]!)).status).toBe(200);
    expect(codeOf(await download(one.earlier[0]!))).toEqual([404, 'file_not_found']);
    const zip = await createReviewArchive(of, made.guest);
    expect(await namesIn(of, zip)).toEqual([`${title}/c.png`, `${title} (2)/a.png`, `${title} (2)/b.png`]);
    const single = await createReviewArchive(of, made.guest, { job_id: one.job });
    expect(await namesIn(of, single)).toEqual([`${title}/a.png`, `${title}/b.png`]);
  });

  test('201: a guest of one reads and writes no comment, and reaches no other job', async () => {
    const of = await fresh();
    const { job, files } = await finishJob(of, 'a.png');
    const other = await finishJob(of, 'b.png');
    const { guest } = await newShowLink(of, { job_ids: [job] });
    const answers = [
      await of.service.call('GET', '/api/v1/review/comments', { as: guest }),
      await post(of.service, guest, '/api/v1/review/comments', { name: 'Vera', file_id: files[0], text: 'Hm.' }),
      await of.service.call('DELETE', '/api/v1/review/comments/cmt_01jd3vsh8xe7rtx1zqbdnzc4v0', { as: guest }),
    ];
    expect(answers.map(codeOf)).toEqual(Array.from(answers, () => [403, 'comments_not_allowed']));
    for (const job_id of [other.job, 'x'])
      expect(codeOf(await createReviewArchive(of, guest, { job_id }))).toEqual([404, 'file_not_found']);
    expect(codeOf(await post(of.service, guest, `/api/v1/review/files/${other.files[0]}/download`))).toEqual([
      404,
      'file_not_found',
    ]);
  });

  test('201: all that filters leave, without a token in a repeat', async () => {
    const of = await fresh();
    const [one, two] = [await finishJob(of, 'menu.png'), await finishJob(of, 'b.png')];
    expect((await newShowLink(of, {})).body.show_link.job_ids).toEqual([two.job, one.job]);
    const key = crypto.randomUUID();
    const body = { name: 'Menu', q: 'menu', expires_in_days: 3 };
    const first = await post(of.service, of.key, '/api/v1/show-links', body, key);
    const { created_at, expires_at, job_ids } = first.body.show_link;
    expect(job_ids).toEqual([one.job]);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3 * 86_400_000);
    const again = await post(of.service, of.key, '/api/v1/show-links', body, key);
    expect(again.body).toEqual({
      show_link: first.body.show_link,
      token: null,
      url: null,
      next_action: expect.stringContaining(`/show-links/${first.body.show_link.id}/revoke`),
    });
    expect(await listLinks(of)).toHaveLength(2);
  });

  test('what a file is deleted of is not listed, nor a job without files', async () => {
    const of = await fresh();
    const { job } = await finishJob(of, 'a.png');
    const { guest } = await newShowLink(of, { job_ids: [job] });
    await of.service.context.db
      .updateTable('files')
      .set({ status: 'deleted', deleted_at: new Date() })
      .where('job_id', '=', uuidOf('job', job))
      .execute();
    expect((await readReview(of.service, guest)).body.review).toMatchObject({ files: [], finished: [] });
    expect(codeOf(await createReviewArchive(of, guest))).toEqual([404, 'file_not_found']);
  });
});

describe('the end of a link', () => {
  test('it ends with the member or the key that made it, and with the account', async () => {
    const of = await fresh();
    const { job } = await finishJob(of, 'a.png');
    const member = await addMember(of.service, of.ada, 'member');
    const key = await makeKey(of.service, of.ada);
    const [byMember, byKey, byOwner] = [
      await newShowLink(of, { job_ids: [job] }, member.token),
      await newShowLink(of, { job_ids: [job] }, key),
      await newShowLink(of, { job_ids: [job] }, of.ada.token),
    ];
    const open = async () =>
      Promise.all([byMember, byKey, byOwner].map(async ({ guest }) => (await readReview(of.service, guest)).status));
    expect(await open()).toEqual([200, 200, 200]);
    await of.service.call('DELETE', `/api/auth/members/${showId('mem', member.memberId)}`, { as: of.ada.token });
    expect(await open()).toEqual([404, 200, 200]);
    const { created_by } = byKey.body.show_link;
    await of.service.call('DELETE', `/api/v1/api-keys/${created_by.id}`, { as: of.ada.token });
    expect(await open()).toEqual([404, 404, 200]);
    await setPlan(of.service, of.ada, 'studio', { status: 'canceled' });
    const closed = await post(of.service, of.ada.token, '/api/auth/account/close', { password: goodPassword });
    expect(closed.status).toBe(200);
    expect(await open()).toEqual([404, 404, 404]);
  });
});

describe('refusals', () => {
  test('403 limit_reached: the account has 50 live links, also when they are made at once', async () => {
    const of = await fresh();
    const { job } = await finishJob(of, 'a.png');
    const { db } = of.service.context;
    const { body } = await newShowLink(of, { job_ids: [job] });
    const row = await db
      .selectFrom('review_links')
      .selectAll()
      .where('shown_jobs', 'is not', null)
      .where('account_id', '=', of.ada.accountId)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('review_links')
      .values(
        Array.from({ length: 47 }, (_, n) => ({
          ...row,
          id: crypto.randomUUID(),
          prefix: `fill${String(n).padStart(4, '0')}`,
        })),
      )
      .execute();
    const answers = await Promise.all([1, 2, 3, 4].map(() => newShowLink(of, { job_ids: [job] })));
    expect(answers.map(codeOf).toSorted()).toEqual([
      [201, undefined],
      [201, undefined],
      [403, 'limit_reached'],
      [403, 'limit_reached'],
    ]);
    await revoke(of, body.show_link.id);
    expect((await newShowLink(of, { job_ids: [job] })).status).toBe(201);
  });

  test('403 insufficient_scope: a key that may only read', async () => {
    const { job } = await finishJob(studio, 'a.png');
    const readOnly = await makeKey(studio.service, studio.ada, ['api:read']);
    expect(codeOf(await newShowLink(studio, { job_ids: [job] }, readOnly))).toEqual([403, 'insufficient_scope']);
  });

  test('404 job_not_found: a job of another account, one that is not completed, or filters that leave none', async () => {
    const [of, other] = [await fresh(), await fresh()];
    const { job } = await finishJob(of, 'a.png');
    const { job: open } = await deliverFiles(other, 'b.png');
    const { job: own } = await finishJob(other, 'c.png');
    for (const body of [{ job_ids: [own, job] }, { job_ids: [own, open] }, { q: 'nothing like this' }])
      expect(codeOf(await newShowLink(other, body))).toEqual([404, 'job_not_found']);
  });

  test('404 job_not_found: while the account is locked, because jobs are chosen before', async () => {
    const of = await fresh();
    await of.service.context.db.transaction().execute(async (trx) => {
      await lockAccount(trx, of.ada.accountId);
      expect(codeOf(await newShowLink(of, { q: 'nothing like this' }))).toEqual([404, 'job_not_found']);
    });
  });

  test.each([
    { name: '' },
    { name: 'https://evil.example' },
    { expires_in_days: 31 },
    { job_ids: [] },
    { can_comment: true },
  ])('422 invalid_request: %j', async (fields) => {
    expect(codeOf(await newShowLink(studio, fields))).toEqual([422, 'invalid_request']);
  });
});
