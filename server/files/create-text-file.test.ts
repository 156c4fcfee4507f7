import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxTextBytes } from '../../contract/files/file.ts';
import {
  bytesOf,
  download,
  openTestStorage,
  presign,
  storageKinds,
  type TestStorage,
} from '../../test/support/files.ts';
import {
  createStudio,
  sharedStudio,
  draft,
  makeMoves,
  newCustomer,
  newJob,
  post,
  type Studio,
  unknownJob,
} from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

describe.each(storageKinds)('stored in %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  let service: Service;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio({ ...storage.env });
    service = studio.service;
  });
  afterAll(async () => {
    await service.close();
    await storage.close();
  });
  const ask = (body: object, key?: string) => post(service, studio.key, '/api/v1/files/text', body, key);
  const text = 'Colours: dark green, crème. 👩‍👩‍👧\n';

  test.each([
    ['brief.md', 'text/markdown'],
    ['BRIEF.MARKDOWN', 'text/markdown'],
    ['prices.csv', 'text/csv'],
    ['facts.json', 'application/json'],
    ['page.html', 'text/plain'],
    ['../../notes', 'text/plain'],
  ])('201 with an uploaded file: %s is %s, and has these bytes', async (file_name, content_type) => {
    const { status, body, headers } = await ask({ file_name, text });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/files/${body.file.id}`);
    const size_bytes = Buffer.byteLength(text);
    expect(body.file).toMatchObject({ file_name, content_type, size_bytes, status: 'uploaded', purpose: 'job_source' });
    expect(await bytesOf(await download(service, studio.key, body.file.id))).toEqual(Buffer.from(text));
  });

  test('201 for a repeat with the key: one file, also if the storage failed at first', async () => {
    await storage.down();
    const failed = await ask({ file_name: 'a.txt', text }, `${kind}-down`);
    expect([failed.status, failed.body.error.code]).toEqual([503, 'service_unavailable']);
    await storage.up();
    const answers = [
      await ask({ file_name: 'a.txt', text }, `${kind}-down`),
      await ask({ file_name: 'a.txt', text }, `${kind}-down`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    const { body } = await service.call('GET', '/api/v1/files?limit=100', { as: studio.key });
    expect(body.files.filter((file: { file_name: string }) => file.file_name === 'a.txt')).toHaveLength(1);
  });
});

describe('what it takes', () => {
  let studio: Studio;
  let service: Service;
  beforeAll(async () => {
    studio = await sharedStudio();
    service = studio.service;
  });
  const ask = (body: object, key?: string) =>
    post(service, studio.key, '/api/v1/files/text', { file_name: 'a.txt', text: 'Green.', ...body }, key);
  const said = async (body: object) => {
    const answer = await ask(body);
    return [answer.status, answer.body.error?.code];
  };

  test('201 for a new job, and for a job of the account, which has the event', async () => {
    const { body } = await ask({});
    const order = await post(service, studio.key, '/api/v1/jobs', { ...draft, file_ids: [body.file.id] });
    expect(order.status).toBe(201);
    const job_id = await newJob(service, studio.key);
    const attached = await ask({ job_id, purpose: 'job_reference' });
    expect(attached.body.file).toMatchObject({ job_id, purpose: 'job_reference' });
    const events = await service.call('GET', `/api/v1/jobs/${job_id}/events`, { as: studio.key });
    expect(JSON.stringify(events.body)).toContain('job.file_attached');
  });

  test('413 file_too_large: a byte over 64 KiB in UTF-8', async () => {
    expect((await ask({ text: 'x'.repeat(maxTextBytes) })).status).toBe(201);
    expect(await said({ text: `${'x'.repeat(maxTextBytes - 2)}é€` })).toEqual([413, 'file_too_large']);
  });

  test.each([{ text: '' }, { text: 'x'.repeat(maxTextBytes + 1) }, { text: 'a\u0000b' }, { file_name: 'a\nb' }])(
    '422 invalid_request: %#',
    async (body) => expect(await said(body)).toEqual([422, 'invalid_request']),
  );

  test('422 unsafe_request: a credential in the text or the name, which is not repeated', async () => {
    for (const body of [{ text: `The key is ${studio.key}.` }, { file_name: `${studio.key}.txt` }]) {
      const answer = await ask(body);
      expect([answer.status, answer.body.error.code]).toEqual([422, 'unsafe_request']);
      expect(JSON.stringify(answer.body)).not.toContain(studio.key);
    }
  });

  test('422 unsupported_file: a purpose that does not exist', async () => {
    expect(await said({ purpose: 'avatar' })).toEqual([422, 'unsupported_file']);
  });

  test('422 idempotency_key_conflict: the key with another text', async () => {
    expect((await ask({}, 'one')).status).toBe(201);
    const other = await ask({ text: 'Red.' }, 'one');
    expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_conflict']);
  });

  test('404 job_not_found: a job of another account, and one that does not exist', async () => {
    const { key } = await newCustomer(service, 'agent');
    for (const job_id of [await newJob(service, key), unknownJob])
      expect(await said({ job_id })).toEqual([404, 'job_not_found']);
  });

  test('422 invalid_request: a job that has ended', async () => {
    const job_id = await newJob(service, studio.key);
    await makeMoves(studio, job_id, 'cancel');
    expect(await said({ job_id })).toEqual([422, 'invalid_request']);
  });

  test('409 upload_incomplete: a repeat, after the file was deleted before it was complete', async () => {
    const storage = await openTestStorage('file');
    const other = await createService(storage.env);
    const { key } = await newCustomer(other);
    await storage.down();
    const body = { file_name: 'a.txt', text: 'Green.' };
    expect((await post(other, key, '/api/v1/files/text', body, 'k')).status).toBe(503);
    await storage.up();
    const { body: list } = await other.call('GET', '/api/v1/files', { as: key });
    expect((await other.call('DELETE', `/api/v1/files/${list.files[0].id}`, { as: key })).status).toBe(200);
    const repeat = await post(other, key, '/api/v1/files/text', body, 'k');
    expect([repeat.status, repeat.body.error.code]).toEqual([409, 'upload_incomplete']);
    await other.close();
    await storage.close();
  });

  const body = { file_name: 'a.txt', text: 'Green.' };

  test('403 entitlement_required: a fourth file without a plan', async () => {
    const { key } = await newCustomer(service);
    for (let n = 0; n < 3; n++) expect((await post(service, key, '/api/v1/files/text', body)).status).toBe(201);
    const fourth = await post(service, key, '/api/v1/files/text', body);
    expect([fourth.status, fourth.body.error.code]).toEqual([403, 'entitlement_required']);
  });

  test('403 insufficient_scope: a key that only reads', async () => {
    const reader = await makeKey(service, studio.ada, ['api:read']);
    expect((await post(service, reader, '/api/v1/files/text', body)).body.error.code).toBe('insufficient_scope');
  });

  test('403 limit_reached: as many uploads wait as the account may have', async () => {
    const small = await createService({ MAX_PENDING_UPLOADS: '1' });
    const { key } = await newCustomer(small, 'studio');
    expect((await presign(small, key, Buffer.from('hello'))).status).toBe(201);
    const refused = await post(small, key, '/api/v1/files/text', body);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'limit_reached']);
    await small.close();
  });
});
