import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newBrand, putBrand } from '../../test/support/brand.ts';
import { newDeliverable, someBytes } from '../../test/support/files.ts';
import type { As } from '../../test/support/harness.ts';
import { makeMoves, newCustomer, newJobIn, post, sharedStudio, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { finishBriefedJob, finishJob, letLeave, readLibrary } from '../../test/support/library.ts';
import { addMember } from '../../test/support/people.ts';
import { deliverFiles } from '../../test/support/review-links.ts';
import { deleteExpiredFiles } from '../files/delete-expired-files.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const keep = (job: string, as: As = studio.ada.token) => post(studio.service, as, `/api/v1/jobs/${job}/keep`);
const sweep = () =>
  deleteExpiredFiles(studio.service.context.db, studio.service.context.storage, new AbortController().signal);
const statusOf = async (id: string) =>
  (await studio.service.call('GET', `/api/v1/files/${id}`, { as: studio.key })).body.file.status;

test('200: until 365 days after the end of the job, all of its files; the sweep leaves them', async () => {
  const { job, files, earlier, own } = await finishBriefedJob(studio, 'a.png');
  const other = await finishJob(studio, 'b.png');
  await letLeave(studio.service.context.db, uuidOf('job', job), -1);
  await letLeave(studio.service.context.db, uuidOf('job', other.job), -1);
  const { status, body } = await keep(job);
  expect([status, body.files]).toEqual([200, 3]);
  const [tile] = (await readLibrary(studio, studio.key, `?q=${job}`)).body.jobs;
  expect(tile.kept_until).toBe(body.kept_until);
  expect(Date.parse(tile.kept_until) - Date.parse(tile.approved_at)).toBe(365 * 86_400_000);
  await sweep();
  for (const id of [...files, ...earlier, own]) expect(await statusOf(id)).toBe('uploaded');
  expect(await statusOf(other.files[0]!)).toBe('deleted');
  expect((await keep(job)).body).toEqual(body);
  const { body: log } = await studio.service.call('GET', `/api/v1/audit?subject=${job}&action=job.files_kept`, {
    as: studio.ada.token,
  });
  expect(log.audit_entries).toMatchObject([{ actor: 'customer', details: { files: 3 } }]);
});

test('200: what the studio never released and copies of the brand kit are not kept', async () => {
  const { service, operator, key } = studio;
  await newBrand(service, key, someBytes());
  const { job } = await deliverFiles(studio, 'a.png');
  await putBrand(service, key);
  await makeMoves(studio, job, 'revision', 'start');
  await newDeliverable(service, operator.token, job, someBytes());
  await makeMoves(studio, job, 'cancel');
  expect((await keep(job)).body.files).toBe(1);
  const { rows } = await sql<{ kept: boolean; released: boolean }>`
    select retention_days = 365 as kept, released_at is not null as released from files
    where job_id = ${uuidOf('job', job)} order by kept`.execute(service.context.db);
  expect(rows.map(({ kept, released }) => [kept, released])).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});

test('200 or 404, and never a lost file: a keep while the sweep runs', async () => {
  for (let n = 0; n < 8; n++) {
    const { job, files } = await finishJob(studio, 'a.png', 'b.png', 'c.png');
    await letLeave(studio.service.context.db, uuidOf('job', job), -1);
    const [kept] = await Promise.all([keep(job), sweep()]);
    await sweep();
    const statuses = await Promise.all(files.map(statusOf));
    const left = statuses.filter((status) => status === 'uploaded');
    expect([200, 404]).toContain(kept.status);
    // An earlier delivery has one file more.
    if (kept.status === 200) expect(left.length).toBeGreaterThanOrEqual(kept.body.files - 1);
    else expect(left).toEqual([]);
    for (const id of files) {
      const { status } = await post(studio.service, studio.key, `/api/v1/files/${id}/download`);
      expect(status).toBe((await statusOf(id)) === 'uploaded' ? 200 : 404);
    }
  }
});

test('a keep waits for a sweep that has marked a file, and does not count it', async () => {
  const { job, files } = await finishJob(studio, 'a.png', 'b.png');
  const { db } = studio.service.context;
  await letLeave(db, uuidOf('job', job), -1);
  const answer = await db.transaction().execute(async (trx) => {
    await sql`update files set status = 'deleted', deleted_at = now() where id = ${uuidOf('file', files[0]!)}`.execute(
      trx,
    );
    const keeping = keep(job);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { keeping };
  });
  const { body } = await answer.keeping;
  expect(body.files).toBe(2);
  await sweep();
  expect(await statusOf(files[1]!)).toBe('uploaded');
});

test('404 file_not_found: none of its files is kept any more', async () => {
  const { job } = await finishJob(studio, 'a.png');
  await letLeave(studio.service.context.db, uuidOf('job', job), -1);
  await sweep();
  const { status, body } = await keep(job);
  expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('404 job_not_found: a job of another account', async () => {
  const { job } = await finishJob(studio, 'a.png');
  const { person } = await newCustomer(studio.service, 'studio');
  for (const answer of [await keep(job, person.token), await keep('x')])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'job_not_found']);
});

test('409 invalid_transition: a job that has not ended', async () => {
  for (const job of [await newJobIn(studio, 'queued'), (await deliverFiles(studio, 'a.png')).job]) {
    const { status, body } = await keep(job);
    expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  }
});

test('403 role_required: a member, and credential_not_accepted: a key; an admin may', async () => {
  const { job } = await finishJob(studio, 'a.png');
  const [member, admin] = [
    await addMember(studio.service, studio.ada, 'member'),
    await addMember(studio.service, studio.ada, 'admin'),
  ];
  expect((await keep(job, member.token)).body.error.code).toBe('role_required');
  expect((await keep(job, studio.key)).body.error.code).toBe('credential_not_accepted');
  expect((await keep(job, admin.token)).status).toBe(200);
});
