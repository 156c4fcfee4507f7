import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileTypes, maxFileBytes } from '../../contract/files/file-types.ts';
import { untilBlocked } from '../../test/support/locks.ts';
import { newBrand, putBrand } from '../../test/support/brand.ts';
import {
  completePage,
  newFile,
  presign,
  put,
  reachable,
  sendByPage,
  someBytes,
  wish,
} from '../../test/support/files.ts';
import {
  makeMoves,
  newCustomer,
  newJob,
  createStudio,
  post,
  type Studio,
  unknownJob,
} from '../../test/support/jobs.ts';
import { livingNames, refusedNames } from '../../test/support/names.ts';
import { makeKey } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await createStudio({ MAX_PENDING_UPLOADS: '1000' });
  service = studio.service;
});
afterAll(() => service.close());

const bytes = someBytes(10);
const ask = (changes: object = {}, key?: string) => presign(service, studio.key, bytes, changes, key);
const codeOf = async (changes: object) => {
  const { status, body } = await ask(changes);
  return [status, body.error?.code];
};

test('201 with the file and its upload contract, and nothing else', async () => {
  const { status, body } = await ask({ retention_days: 7 });
  expect(status).toBe(201);
  expect(body.file).toEqual({
    id: expect.stringMatching(/^file_[0-9a-z]{26}$/),
    purpose: 'job_source',
    uploaded_by: 'customer',
    file_name: 'brand guide.png',
    content_type: 'image/png',
    size_bytes: 10,
    status: 'pending_upload',
    retention_days: 7,
    round: null,
    created_at: expect.any(String),
    uploaded_at: null,
    released_at: null,
    deleted_at: null,
    poster: null,
    poster_status: 'none',
    width: null,
    height: null,
    viewing_copy: 'none',
  });
  expect(Object.keys(body.upload)).toEqual(['method', 'url', 'expires_at', 'headers']);
});

test('201 for every purpose and type, by key, session and cookie, with 90 days unless told otherwise', async () => {
  for (const purpose of ['job_source', 'job_reference', 'job_deliverable'])
    expect((await ask({ purpose })).body.file).toMatchObject({ purpose, uploaded_by: 'customer', retention_days: 90 });
  for (const content_type of Object.keys(fileTypes)) expect((await ask({ content_type })).status).toBe(201);
  for (const as of [studio.ada.token, { cookie: studio.ada.cookie }])
    expect((await presign(service, as, bytes)).status).toBe(201);
});

test('201: next_action waits for the file that a person sends by the page, and for no earlier one', async () => {
  const job_id = await newJob(service, studio.key);
  for (const changes of [{}, { job_id }]) {
    const send = async (page: { url: string }) => {
      const token = new URL(page.url).hash.slice(1);
      await sendByPage(service, token, bytes);
      expect((await completePage(service, token)).status).toBe(200);
    };
    await send((await ask(changes)).body.page);
    const { body } = await ask(changes);
    expect(body.next_action).toContain(`POST /api/v1/files/${body.file.id}/complete or give your user page.url. `);
    const path = /Wait with GET (\S+&after=\d+)&wait=25 /.exec(body.next_action)?.[1] ?? '';
    const filesIn = async () =>
      (await service.call('GET', path, { as: studio.key })).body.events.map(
        (event: { data: { file_id: string } }) => event.data.file_id,
      );
    expect(await filesIn()).toEqual([]);
    await send(body.page);
    expect(await filesIn()).toEqual([body.file.id]);
  }
  const cookie = { cookie: studio.ada.cookie };
  expect((await presign(service, cookie, bytes)).body.next_action).not.toContain('page.url');
});

test('201 for a job of the account that has not ended', async () => {
  const job_id = await newJob(service, studio.key);
  expect((await ask({ job_id })).body.file.job_id).toBe(job_id);
});

test.each(['../../etc/passwd', '..\\..\\a', '%2e%2e/', 'CON', '👩‍👩‍👧 ❤️ سلام.png', '👩'.repeat(255), ' ', '.'])(
  '201 with the name %j, which is only a label',
  async (file_name) => {
    const { status, body } = await ask({ file_name });
    expect([status, body.file.file_name]).toEqual([201, file_name]);
    expect(body.upload.url).toMatch(/\/storage\/uploads\/[0-9a-f-]{36}\.png\?expires=\d+&signature=[\w-]+$/);
  },
);

test.each(livingNames)('201 with the name %j, and its download has it', async (file_name) => {
  const file = await newFile(service, studio.key, Buffer.from('\x89PNG', 'latin1'), { file_name, content_type: '' });
  expect(file.file_name).toBe(file_name);
  const { body } = await post(service, studio.key, `/api/v1/files/${file.id}/download`, {});
  const { headers } = await fetch(reachable(service, body.download.url));
  const [, saved = ''] = /filename\*=UTF-8''(.+)$/.exec(headers.get('content-disposition') ?? '') ?? [];
  expect(decodeURIComponent(saved)).toBe(file_name);
});

test.each(refusedNames)('422 invalid_request: the name %j, which hides something', async (file_name) =>
  expect(await codeOf({ file_name })).toEqual([422, 'invalid_request']),
);

test.each([
  ['work.zip', 'application/x-zip-compressed', 'application/zip'],
  ['photo.jpg', 'image/JPG', 'image/jpeg'],
  ['table.csv', 'application/vnd.ms-excel; charset=utf-8', 'text/csv'],
  ['voice.wav', 'audio/x-wav', 'audio/wav'],
  ['table.xls', 'application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ['layers.psd', 'application/x-photoshop', 'image/vnd.adobe.photoshop'],
  ['favicon.ico', 'image/x-icon', 'image/vnd.microsoft.icon'],
  ['memo.m4a', 'audio/x-m4a', 'audio/mp4'],
  ['letter.rtf', 'text/rtf', 'application/rtf'],
  ['WORDS.SRT', 'application/octet-stream', 'application/x-subrip'],
  ['work.zip', '', 'application/zip'],
  ['Photo.JPEG', 'binary/octet-stream', 'image/jpeg'],
  ['notes.markdown', 'application/octet-stream', 'text/markdown'],
])('201 for %s as %j, a file of the type %s', async (file_name, content_type, type) => {
  const { status, body } = await ask({ file_name, content_type });
  const sent = Object.hasOwn(fileTypes, type) ? type : 'application/octet-stream';
  expect([status, body.file.content_type, body.upload.headers['content-type']]).toEqual([201, type, sent]);
});

test.each([
  ['setup.exe', 'application/octet-stream', '.exe files are not taken.'],
  ['Report.DOCM', 'application/vnd.ms-word.document.macroenabled.12', '.docm files are not taken.'],
  ['setup', 'application/x-msdownload', 'Files of the type application/x-msdownload are not taken.'],
  ['README', 'application/octet-stream', 'Files without a type and an ending are not taken.'],
  ['photo.png', 'text/javascript', 'Files of the type text/javascript are not taken.'],
  ['a.<b>', '<b>', 'Files of this kind are not taken.'],
])('422 unsupported_file names %s as %s, what to do, and the endings taken', async (file_name, content_type, words) => {
  const { status, body } = await ask({ file_name, content_type });
  expect([status, body.error.code]).toEqual([422, 'unsupported_file']);
  expect(body.error.message).toBe(`${words} Send the file in a .zip.`);
  expect(body.error.action).toMatch(/pictures \(png, jpg, jpeg, .*\bico\b.*; sound \(mp3, .*m4a/);
});

test('413 file_too_large: a byte over 100 MiB', async () => {
  expect((await ask({ size_bytes: maxFileBytes })).status).toBe(201);
  for (const size_bytes of [maxFileBytes + 1, 2 ** 31, 2 ** 53 - 1])
    expect(await codeOf({ size_bytes })).toEqual([413, 'file_too_large']);
});

test.each(['application/x-httpd-php', 'image/x-none', 'application/x-msdownload', 'text/javascript', 'toString'])(
  '422 unsupported_file: content type %j',
  async (content_type) => {
    expect(await codeOf({ content_type })).toEqual([422, 'unsupported_file']);
  },
);

test('422 unsupported_file: an unknown purpose; the answer lists the known ones', async () => {
  const { status, body } = await ask({ purpose: 'avatar' });
  expect([status, body.error.code]).toEqual([422, 'unsupported_file']);
  expect(body.error.message).toContain('job_source, job_reference, job_deliverable');
});

test.each([
  { size_bytes: 0 },
  { size_bytes: -1 },
  { size_bytes: 1.5 },
  { size_bytes: 2 ** 53 },
  { size_bytes: 1e20 },
  { size_bytes: '10' },
  { file_name: '' },
  { file_name: 'a\u0000.png' },
  { file_name: 'a\nb.png' },
  { file_name: '\ud800.png' },
  { file_name: 'x'.repeat(256) },
  { retention_days: 0 },
  { retention_days: 366 },
  { retention_days: 1.5 },
  { account_id: 'acct_1' },
  { status: 'uploaded' },
  { object_key: 'files/x' },
  { purpose: undefined },
])('422 invalid_request: %j', async (changes) => {
  expect(await codeOf(changes)).toEqual([422, 'invalid_request']);
});

test.each(['1e400', '-0', '9007199254740993', '1e20', '-1e-400'])(
  '422 invalid_request: %s bytes, as JSON may write a number',
  async (number) => {
    const raw = JSON.stringify(wish(bytes, { size_bytes: 7 })).replace('"size_bytes":7', `"size_bytes":${number}`);
    expect(raw).toContain(`"size_bytes":${number}`);
    const { status, body } = await service.call('POST', '/api/v1/files/presign', { as: studio.key, raw });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  },
);

test('422 invalid_request: a job that has ended', async () => {
  const job_id = await newJob(service, studio.key);
  await makeMoves(studio, job_id, 'cancel');
  const { status, body } = await ask({ job_id });
  expect([status, body.error.details[0].location]).toEqual([422, '/job_id']);
});

test('201 for a job that is canceled at the same moment: both wait for the job, then for the account', async () => {
  const job_id = await newJob(service, studio.key);
  const both = await service.context.db.transaction().execute(async (trx) => {
    await sql`select from account_counters where account_id = ${studio.ada.accountId} for update`.execute(trx);
    const presigned = ask({ job_id });
    await untilBlocked(service.context.db); // it waits for the account
    const canceled = post(service, studio.key, `/api/v1/jobs/${job_id}/cancel`);
    await untilBlocked(service.context.db, 2);
    return [presigned, canceled];
  });
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([201, 200]);
});

test('422 unsafe_request: a credential in the name, which is not repeated', async () => {
  const file_name = `${studio.key}.txt`;
  const { status, body } = await ask({ file_name });
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
  expect(JSON.stringify(body)).not.toContain(studio.key);
});

test('404 job_not_found: a job of another account, and one that does not exist', async () => {
  const { key } = await newCustomer(service, 'agent');
  const foreign = await newJob(service, key);
  for (const job_id of [foreign, unknownJob, 'x']) expect(await codeOf({ job_id })).toEqual([404, 'job_not_found']);
});

test('403 insufficient_scope for a key that only reads', async () => {
  const reader = await makeKey(service, studio.ada, ['api:read']);
  expect((await presign(service, reader, bytes)).body.error.code).toBe('insufficient_scope');
});

test('422 idempotency_key_conflict: the key with another file; fifty of one make one', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask({}, 'one')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const other = await ask({ size_bytes: 11 }, 'one');
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
  const { key } = await newCustomer(service);
  expect((await presign(service, key, bytes, {}, 'one')).body.file.id).not.toBe(answers[0]?.body.file.id);
});

describe('what one account may hold', () => {
  let small: Service;
  beforeAll(async () => {
    small = await createService({ MAX_PENDING_UPLOADS: '3', MAX_STORED_BYTES: '1000' });
  });
  afterAll(() => small.close());

  test('403 limit_reached: more uploads that wait than the account may have, also when asked at once', async () => {
    const { key } = await newCustomer(small, 'studio');
    const answers = await Promise.all(Array.from({ length: 10 }, () => presign(small, key, bytes)));
    const refused = answers.filter(({ status }) => status === 403);
    expect([answers.filter(({ status }) => status === 201).length, refused.length]).toEqual([3, 7]);
    expect(refused[0]?.body.error).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('3') });
    const { file, upload } = answers.find(({ status }) => status === 201)?.body ?? {};
    await put(small, upload, bytes);
    await post(small, key, `/api/v1/files/${file.id}/complete`);
    expect((await presign(small, key, bytes)).status).toBe(201);
  });

  test('413 file_too_large: more bytes than the account may store, with those that are still to come', async () => {
    const { key } = await newCustomer(small, 'studio');
    await newFile(small, key, someBytes(500));
    expect((await presign(small, key, someBytes(400))).status).toBe(201);
    const answer = await presign(small, key, someBytes(101));
    expect([answer.status, answer.body.error.code]).toEqual([413, 'file_too_large']);
    expect(answer.body.error.message).toBe('The account stores 900 bytes and may store 1000; this file has 101.');
    expect((await presign(small, key, someBytes(100))).status).toBe(201);
  });

  test('413 file_too_large: bytes of the brand kit count once however many jobs have them, until the last job lets go', async () => {
    const { key } = await newCustomer(small, 'studio');
    const stored = async () => (await presign(small, key, bytes, { size_bytes: 1001 })).body.error.message;
    const file = await newBrand(small, key, someBytes(500));
    await newJob(small, key);
    await newJob(small, key);
    expect(await stored()).toMatch('stores 500 bytes');
    await putBrand(small, key, { file_ids: [] });
    await small.call('DELETE', `/api/v1/files/${file.id}`, { as: key });
    expect(await stored()).toMatch('stores 500 bytes');
  });

  test('403 entitlement_required: without a plan three uploads of 25 MiB together, waiting or stored', async () => {
    const { key } = await newCustomer(service);
    await newFile(service, key, bytes);
    const large = await presign(service, key, bytes, { size_bytes: 25 * 1024 ** 2 });
    expect([large.status, large.body.error.code]).toEqual([403, 'entitlement_required']);
    expect((await presign(service, key, bytes, { size_bytes: 25 * 1024 ** 2 - 10 })).status).toBe(201);
    const other = await newCustomer(service);
    const answers = await Promise.all(Array.from({ length: 6 }, () => presign(service, other.key, bytes)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 403, 403, 403]);
    const { file } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect((await service.call('DELETE', `/api/v1/files/${file.id}`, { as: other.key })).status).toBe(200);
    expect((await presign(service, other.key, bytes)).status).toBe(201);
  });
});
