import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { putBrand } from '../../test/support/brand.ts';
import { newDeliverable, newFile, someBytes } from '../../test/support/files.ts';
import {
  makeMoves,
  newJob,
  newJobIn,
  sharedStudio,
  type Studio,
  uuidOf,
  withNewCustomer,
} from '../../test/support/jobs.ts';
import { finishJob, letLeave, readLibrary, titlesIn } from '../../test/support/library.ts';
import { makeKey } from '../../test/support/people.ts';
import { deliverFiles } from '../../test/support/review-links.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const fresh = () => withNewCustomer(studio);

const idsIn = async (of: Studio, query = '', as = of.key): Promise<string[]> =>
  (await readLibrary(of, as, query)).body.jobs.map(({ job_id: id }: { job_id: string }) => id);

describe('200', () => {
  test('200: an approved job with the files of its last delivery, and nothing of earlier ones', async () => {
    const of = await fresh();
    const { job, files } = await finishJob(of, 'a.png', 'b.png', 'c.png', 'd.png');
    const { status, body } = await readLibrary(of, of.key);
    expect(status).toBe(200);
    expect(body.jobs).toEqual([
      {
        job_id: job,
        customer_title: 'Logo for a neighbourhood bakery',
        service_family: 'design',
        service_type: 'logo',
        brand_name: null,
        status: 'completed',
        approved_at: expect.any(String),
        round: 1,
        earlier_deliveries: 1,
        files: [
          expect.objectContaining({ id: files[0], file_name: 'a.png', size_bytes: 2_000, content_type: 'image/png' }),
          expect.objectContaining({ id: files[1], file_name: 'b.png' }),
          expect.objectContaining({ id: files[2], file_name: 'c.png' }),
        ],
        file_count: 4,
        size_bytes: 8_000,
        kept_until: expect.any(String),
        gone_at: null,
        imported_at: null,
      },
    ]);
    const [{ approved_at, kept_until }] = body.jobs;
    expect(Date.parse(kept_until) - Date.parse(approved_at)).toBe(90 * 86_400_000);
  });

  test('200: the newest approval first, whatever was ordered first; a key that may only read', async () => {
    const of = await fresh();
    const [first, second] = [(await deliverFiles(of, 'a.png')).job, (await deliverFiles(of, 'b.png')).job];
    await makeMoves(of, second, 'approve');
    await makeMoves(of, first, 'approve');
    expect(await idsIn(of, '', await makeKey(of.service, of.ada, ['api:read']))).toEqual([first, second]);
    const page = (await readLibrary(of, of.key, '?limit=1')).body;
    expect(page.jobs[0].job_id).toBe(first);
    expect(await idsIn(of, `?limit=1&cursor=${page.next_cursor}`)).toEqual([second]);
  });

  test('200: the other views: what is delivered, own uploads, and both', async () => {
    const of = await fresh();
    const { job: approved } = await finishJob(of, 'a.png');
    const { job: delivered } = await deliverFiles(of, 'b.png');
    const queued = await newJob(of.service, of.key);
    const own = await newFile(of.service, of.key, someBytes(), { job_id: queued, file_name: 'menu.png' });
    await newJob(of.service, of.key);
    expect(await idsIn(of)).toEqual([approved]);
    expect(await idsIn(of, '?view=studio')).toEqual([delivered, approved]);
    expect(await idsIn(of, '?view=mine')).toEqual([queued]);
    expect(await idsIn(of, '?view=all')).toEqual([queued, delivered, approved]);
    const [mine] = (await readLibrary(of, of.key, '?view=mine')).body.jobs;
    expect(mine).toMatchObject({ approved_at: null, round: null, file_count: 1, kept_until: null, gone_at: null });
    expect(mine.files).toEqual([expect.objectContaining({ id: own.id })]);
    await makeMoves(of, delivered, 'revision', 'start');
    expect((await readLibrary(of, of.key, '?view=studio')).body.jobs[0]).toMatchObject({ round: 0, file_count: 1 });
  });

  test('200: by service, person, brand and time', async () => {
    const of = await fresh();
    await putBrand(of.service, of.key, { facts: [{ label: 'Brand name', text: 'Rise & Söhne' }] });
    const branded = await finishJob(of, 'a.png');
    const { body } = await readLibrary(of, of.key);
    expect(body.jobs[0].brand_name).toBe('Rise & Söhne');
    const at = encodeURIComponent(body.jobs[0].approved_at);
    for (const query of [
      'service_family=design&service_type=logo',
      `brand=${encodeURIComponent('Rise & Söhne')}`,
      `approved_after=${at}`,
      'leaving=false',
    ])
      expect([query, await idsIn(of, `?${query}`)]).toEqual([query, [branded.job]]);
    for (const query of [
      'service_family=data',
      'service_type=banner',
      'brand=Rise',
      `approved_before=${at}`,
      'leaving=true',
      `person_id=${showId('user', of.ada.userId)}`,
      'person_id=somebody',
    ])
      expect([query, await idsIn(of, `?${query}`)]).toEqual([query, []]);
    const { job } = await deliverFiles({ ...of, key: of.ada.token }, 'b.png');
    await makeMoves(of, job, 'approve');
    expect(await idsIn(of, `?person_id=${showId('user', of.ada.userId)}`)).toEqual([job]);
  });

  test('200: in every view, jobs by the time of approval, others by creation', async () => {
    const of = await fresh();
    const { job: approved } = await finishJob(of, 'a.png');
    const { job: delivered } = await deliverFiles(of, 'b.png');
    for (const [id, days] of [
      [approved, 9],
      [delivered, 5],
    ] as const)
      await sql`update jobs set created_at = created_at - make_interval(days => ${days})
        where id = ${uuidOf('job', id)}`.execute(of.service.context.db);
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const view of ['studio', 'all']) {
      expect(await idsIn(of, `?view=${view}&approved_after=${ago(1)}`)).toEqual([approved]);
      expect(await idsIn(of, `?view=${view}&approved_before=${ago(1)}`)).toEqual([delivered]);
      expect(await idsIn(of, `?view=${view}&approved_after=${ago(6)}`)).toEqual([delivered, approved]);
    }
  });

  test('200: by a part of the title or of the name of a file, in any case; % and _ are only themselves', async () => {
    const of = await fresh();
    const { job } = await finishJob(of, 'Rise-Mark 100%.png');
    const hidden = await newJobIn(of, 'running');
    await newFile(of.service, of.key, someBytes(), { job_id: hidden, file_name: 'sketch.png' });
    await newDeliverable(of.service, of.operator.token, hidden, someBytes(), { file_name: 'secret.png' });
    expect(await idsIn(of, '?q=secret&view=all')).toEqual([]);
    for (const q of ['NEIGHBOURHOOD', 'rise-mark', '100%', job])
      expect([q, await idsIn(of, `?q=${encodeURIComponent(q)}`)]).toEqual([q, [job]]);
    for (const q of ['rise_mark', '%%', 'sketch'])
      expect([q, await idsIn(of, `?q=${encodeURIComponent(q)}`)]).toEqual([q, []]);
    expect(await idsIn(of, '?q=sketch&view=all')).toEqual([hidden]);
  });

  test('200: files that leave within a week, and since when none is left', async () => {
    const of = await fresh();
    const { db } = of.service.context;
    const [soon, later] = [await finishJob(of, 'a.png'), await finishJob(of, 'b.png')];
    await letLeave(db, uuidOf('job', soon.job), 6);
    await letLeave(db, uuidOf('job', later.job), 8);
    expect(await idsIn(of, '?leaving=true')).toEqual([soon.job]);
    const gone = new Date(Date.now() - 86_400_000);
    await db
      .updateTable('files')
      .set({ status: 'deleted', deleted_at: gone })
      .where('job_id', '=', uuidOf('job', soon.job))
      .execute();
    const { jobs } = (await readLibrary(of, of.key, `?q=${soon.job}`)).body;
    expect(jobs).toMatchObject([{ files: [], file_count: 0, kept_until: null, gone_at: gone.toISOString() }]);
    expect(await idsIn(of, '?leaving=true')).toEqual([]);
  });

  test('200: nothing of another account', async () => {
    const [of, other] = [await fresh(), await fresh()];
    await finishJob(of, 'a.png');
    for (const view of ['approved', 'studio', 'mine', 'all'])
      expect(await titlesIn(other, other.key, `?view=${view}&q=logo`)).toEqual([]);
  });
});

test.each([
  'view=best',
  'leaving=soon',
  'approved_after=2026-02-02T00:00:00Z&approved_before=2026-02-01T00:00:00Z',
  'cursor=x',
  'q=',
  'service_family=nothing',
])('400 invalid_request: %s', async (query) => {
  const { status, body } = await readLibrary(studio, studio.key, `?${query}`);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
