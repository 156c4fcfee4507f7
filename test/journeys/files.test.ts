import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteExpiredFiles } from '../../server/files/delete-expired-files.ts';
import { claimStorage } from '../../server/files/installation.ts';
import { sweepStorage } from '../../server/files/sweep-storage.ts';
import { readId } from '../../server/lib/id.ts';
import {
  bytesOf,
  complete,
  download,
  newDeliverable,
  newFile,
  openTestStorage,
  presign,
  put,
  reachable,
  someBytes,
  storageKinds,
  type TestStorage,
  unknownFile,
  type Upload,
} from '../support/files.ts';
import {
  createJob,
  makeMoves,
  newCustomer,
  newJob,
  createStudio,
  post,
  readJob,
  type Studio,
} from '../support/jobs.ts';
import { signUp } from '../support/people.ts';
import type { Service } from '../support/harness.ts';

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);
const uuid = (id: string) => readId('file', id) ?? '';
async function sweep({ context }: Service): Promise<void> {
  await deleteExpiredFiles(context.db, context.storage, new AbortController().signal);
  await sweepStorage(context, new AbortController().signal);
}

/** Our own storage refuses as every route does; a bucket in its own words. */
const isEnvelope = (text: string) =>
  Object.keys((JSON.parse(text) as { error: object }).error).join(' ') === 'code message action request_id docs';

describe.each(storageKinds)('on the storage %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  let service: Service;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
    service = studio.service;
    expect(await claimStorage(service.context)).toBeNull();
  });
  afterAll(async () => {
    await service?.close();
    await storage?.close();
  });

  const row = (id: string) =>
    service.context.db.selectFrom('files').selectAll().where('id', '=', uuid(id)).executeTakeFirstOrThrow();
  const fileIn = async (id: string) => (await row(id)).status;
  const atDesk = async (jobId: string) =>
    (await service.call('GET', `/api/operator/v1/jobs/${jobId}`, { as: studio.operator.token })).body;
  const submit = async (jobId: string, fileIds?: string[]) => {
    const path = `/api/operator/v1/jobs/${jobId}/submit`;
    return post(service, studio.operator.token, path, fileIds ? { file_ids: fileIds } : { message: 'As before.' });
  };

  test('a source goes to the studio, deliverables come back round by round, byte for byte', async () => {
    const source = someBytes();
    const file = await newFile(service, studio.key, source);
    const created = await createJob(service, studio.key, { file_ids: [file.id] }, 'with-files');
    expect(created.status).toBe(201);
    const id = created.body.job.id;
    expect((await readJob(service, studio.key, id)).job.files).toMatchObject([{ id: file.id, job_id: id }]);
    expect((await createJob(service, studio.key, { file_ids: [file.id] }, 'with-files')).body).toEqual(created.body);

    expect((await atDesk(id)).job.files).toMatchObject([{ id: file.id, status: 'uploaded' }]);
    const read = await download(service, studio.operator.token, file.id, {}, '/api/operator/v1');
    expect(await bytesOf(read)).toEqual(source);

    await makeMoves(studio, id, 'accept', 'start');
    const first = someBytes();
    const one = await newDeliverable(service, studio.operator.token, id, first);
    expect((await submit(id, [one.id])).status).toBe(200);
    const before = await readJob(service, studio.key, id);
    expect(before.job.files).toHaveLength(1);
    expect(typesOf(before.events)).toEqual([
      'job.created',
      'job.file_attached',
      'job.accepted',
      'job.started',
      'job.submitted',
    ]);
    expect((await post(service, studio.key, `/api/v1/files/${one.id}/download`)).status).toBe(404);

    await makeMoves(studio, id, 'pass');
    const after = await readJob(service, studio.key, id);
    expect(after.job.files).toMatchObject([
      { id: one.id, round: 0, uploaded_by: 'studio', released_at: expect.any(String) },
      { id: file.id, round: null },
    ]);
    expect(typesOf(after.events).slice(-2)).toEqual(['job.deliverable_added', 'job.ready_for_customer_review']);
    expect(after.events.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await bytesOf(await download(service, studio.key, one.id))).toEqual(first);

    await makeMoves(studio, id, 'revision', 'start');
    const two = await newDeliverable(service, studio.operator.token, id, someBytes());
    const three = await newDeliverable(service, studio.operator.token, id, someBytes());
    const four = await newDeliverable(service, studio.operator.token, id, someBytes());
    await submit(id, [three.id, two.id, four.id]);
    await makeMoves(studio, id, 'return');
    await submit(id, [two.id, four.id, three.id]); // this order counts
    await makeMoves(studio, id, 'pass');
    const { files, deliveries } = (await readJob(service, studio.key, id)).job;
    expect(files.map((each: { id: string; round: number }) => [each.id, each.round])).toEqual([
      [two.id, 1],
      [four.id, 1],
      [three.id, 1],
      [one.id, 0],
      [file.id, null],
    ]);
    expect(deliveries[1].file_ids).toEqual([two.id, four.id, three.id]);
    const desk = (await atDesk(id)).job.files;
    expect(desk.map((each: { id: string }) => each.id)).toEqual(files.map((each: { id: string }) => each.id));
    expect(JSON.stringify([files, desk])).not.toMatch(/object_key|uploads\/|etag/);
  });

  test('what a returned submission handed in is delivered only if the next one keeps or names it', async () => {
    const id = await newJob(service, studio.key);
    await makeMoves(studio, id, 'accept', 'start');
    const draft = await newDeliverable(service, studio.operator.token, id, someBytes());
    const kept = await newDeliverable(service, studio.operator.token, id, someBytes());
    await submit(id, [draft.id]);
    await makeMoves(studio, id, 'return');
    await submit(id, [kept.id]);
    await makeMoves(studio, id, 'return');
    await submit(id);
    await makeMoves(studio, id, 'pass');
    expect((await readJob(service, studio.key, id)).job.files).toMatchObject([{ id: kept.id }]);
    expect((await post(service, studio.key, `/api/v1/files/${draft.id}/download`)).status).toBe(404);

    await makeMoves(studio, id, 'revision', 'start');
    const again = await submit(id, [kept.id]);
    expect([again.status, again.body.error.details[0].location]).toEqual([422, '/file_ids/0']);
  });

  test('an option without quality review delivers with the submission itself', async () => {
    const id = await newJob(service, studio.key);
    await service.context.db
      .updateTable('jobs')
      .set({ quality_review: false })
      .where('id', '=', readId('job', id))
      .execute();
    await makeMoves(studio, id, 'accept', 'start');
    const file = await newDeliverable(service, studio.operator.token, id, someBytes());
    expect((await submit(id, [file.id])).body.job.status).toBe('ready_for_customer_review');
    const { job, events } = await readJob(service, studio.key, id);
    expect(job.files).toMatchObject([{ id: file.id }]);
    expect(typesOf(events).slice(-3)).toEqual([
      'job.submitted',
      'job.deliverable_added',
      'job.ready_for_customer_review',
    ]);
    expect(events.slice(-3).map(({ job: { status } }: { job: { status: string } }) => status)).toEqual([
      'running',
      'running',
      'ready_for_customer_review',
    ]);
  });

  test('a file of a job under way becomes part of it by completing', async () => {
    const id = await newJob(service, studio.key);
    const file = await newFile(service, studio.key, someBytes(), { job_id: id, purpose: 'job_deliverable' });
    const { job, events } = await readJob(service, studio.key, id);
    expect(job.files).toMatchObject([
      { id: file.id, purpose: 'job_deliverable', uploaded_by: 'customer', round: null },
    ]);
    expect(typesOf(events)).toEqual(['job.created', 'job.file_attached']);
    const submitted = await submit(id, [file.id]);
    expect(submitted.status).not.toBe(200);
    await makeMoves(studio, id, 'accept', 'start');
    expect((await submit(id, [file.id])).body.error.code).toBe('invalid_request');
  });

  describe('an upload URL', () => {
    const bytes = Buffer.from('twenty bytes of text');
    let id: string;
    let upload: Upload;
    let other: Upload;
    beforeAll(async () => {
      const { body } = await presign(service, studio.key, bytes, { content_type: 'text/plain' });
      id = body.file.id;
      upload = body.upload;
      other = (await presign(service, studio.key, bytes, { content_type: 'text/plain' })).body.upload;
    });

    test('is what the contract says', async () => {
      const { body } = await presign(service, studio.key, bytes);
      expect(body.upload).toEqual({
        method: 'PUT',
        url: expect.stringMatching(/^http:\/\/(localhost:3000\/storage|127\.0\.0\.1:\d+\/atelier)\/uploads\//),
        expires_at: expect.any(String),
        headers: { 'content-type': 'text/plain', 'x-service-max-size': '20' },
      });
      const lasts = Date.parse(body.upload.expires_at) - Date.parse(body.file.created_at);
      expect(lasts).toBeGreaterThan(870_000);
      expect(lasts).toBeLessThanOrEqual(900_000);
      expect(body.upload.url).not.toContain('checksum');
    });

    const headers = (changes: Record<string, string | undefined>) => () => {
      const merged = { ...upload.headers, ...changes };
      return {
        headers: Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >,
      };
    };
    const url = (change: (url: URL) => void) => () => {
      const changed = new URL(upload.url);
      change(changed);
      return { url: changed.href };
    };
    const parameter = (name: string, value: string) =>
      url((changed) => {
        const real = [...changed.searchParams.keys()].find((key) => key.toLowerCase().endsWith(name)) ?? name;
        if (value === '') changed.searchParams.delete(real);
        else changed.searchParams.set(real, value);
      });
    const flipped = (name: string) =>
      url((changed) => {
        const real = [...changed.searchParams.keys()].find((key) => key.toLowerCase().endsWith(name)) ?? '';
        const signature = changed.searchParams.get(real) ?? '';
        changed.searchParams.set(real, (signature.startsWith('a') ? 'b' : 'a') + signature.slice(1));
      });
    const cases: [string, () => { url?: string; headers?: Record<string, string>; method?: string; bytes?: string }][] =
      [
        ['another content type', headers({ 'content-type': 'text/html' })],
        ['the type with a parameter', headers({ 'content-type': 'text/plain; charset=utf-8' })],
        ['a larger maximum', headers({ 'x-service-max-size': '2000' })],
        ['a maximum spelled otherwise', headers({ 'x-service-max-size': '020' })],
        ['no maximum', headers({ 'x-service-max-size': undefined })],
        ['no content type', headers({ 'content-type': undefined })],
        ['a later expiry', parameter('expires', '4000000000')],
        ['no expiry', parameter('expires', '')],
        ['no signature that fits', flipped('signature')],
        ['an empty signature', parameter('signature', 'x')],
        [
          'the signature of another file',
          () => ({ url: upload.url.replace(/uploads\/[^?]+/, other.url.match(/uploads\/[^?]+/)?.[0] ?? '') }),
        ],
        ['a path of its own', url((changed) => (changed.pathname = changed.pathname.replace('/uploads/', '/files/')))],
        ['POST', () => ({ method: 'POST' })],
        ['DELETE', () => ({ method: 'DELETE', bytes: '' })],
        ['GET', () => ({ method: 'GET' })],
        ['HEAD', () => ({ method: 'HEAD' })],
        ['a byte too many', () => ({ bytes: 'twenty bytes of text!' })],
      ];
    test.each(cases)('is refused with %s, and leaves nothing', async (_, change) => {
      const before = await storage.keys();
      const { bytes: sent = bytes, url: to = upload.url, ...request } = change();
      const bodyless = request.method === 'GET' || request.method === 'HEAD';
      const answer = await put(service, { ...upload, url: to }, sent, {
        ...request,
        ...(bodyless ? { body: null } : {}),
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(kind === 's3' || request.method === 'HEAD' || isEnvelope(answer.text)).toBe(true);
      expect(await storage.keys()).toEqual(before);
    });

    test('is refused once it has expired', async () => {
      const key = `uploads/${uuid(id)}.txt`;
      const from = new Date(Date.now() - 901_000);
      const terms = { contentType: 'text/plain', bytes: bytes.length, from, seconds: 900 };
      const late = { ...upload, url: await service.context.storage.uploadUrl(key, terms) };
      expect((await put(service, late, bytes)).status).toBe(403);
      expect(await storage.keys()).not.toContain(key);
      const soon = { ...terms, from: new Date(Date.now() - 890_000) };
      expect(
        (await put(service, { ...upload, url: await service.context.storage.uploadUrl(key, soon) }, bytes)).status,
      ).toBe(200);
    });

    test('cannot change a file that is completed', async () => {
      const file = await newFile(service, studio.key, bytes);
      const overwritten = Buffer.from('TWENTY BYTES OF TEXT');
      const answer = await put(service, file.upload, overwritten);
      // A bucket's URL cannot be taken back; what it writes then nobody reads.
      expect(answer.status).toBe(kind === 'file' ? 403 : 200);
      const again = await complete(service, studio.key, file.id);
      expect([again.status, again.body.file.uploaded_at]).toEqual([200, file.uploaded_at]);
      expect(await bytesOf(await download(service, studio.key, file.id))).toEqual(bytes);
    });

    test('is signed again, the same, for a replay; again once it has expired', async () => {
      const first = await presign(service, studio.key, bytes, {}, 'replay');
      const second = await presign(service, studio.key, bytes, {}, 'replay');
      expect(second.status).toBe(201);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.body).toEqual(first.body);
      const { db } = service.context;
      await sql`update files set created_at = now() - interval '16 minutes' where id = ${uuid(first.body.file.id)}`.execute(
        db,
      );
      const third = await presign(service, studio.key, bytes, {}, 'replay');
      expect(third.body.file.id).toBe(first.body.file.id);
      expect(Date.parse(third.body.upload.expires_at)).toBeGreaterThan(Date.now() + 880_000);
      expect((await put(service, third.body.upload, bytes)).status).toBe(200);
      const kept = await db.selectFrom('idempotency_keys').select('answer').where('key', '=', 'replay').execute();
      expect(JSON.stringify(kept)).not.toMatch(/http|signature/i);
    });
  });

  describe('complete', () => {
    test('409 upload_incomplete: nothing was sent; it works after the PUT', async () => {
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes);
      const early = await complete(service, studio.key, body.file.id);
      expect([early.status, early.body.error.code]).toEqual([409, 'upload_incomplete']);
      expect(await fileIn(body.file.id)).toBe('pending_upload');
      await put(service, body.upload, bytes);
      const done = await complete(service, studio.key, body.file.id);
      expect(done.body.file).toMatchObject({ status: 'uploaded', size_bytes: 2_000, uploaded_at: expect.any(String) });
      expect(await row(body.file.id)).toMatchObject({ etag: expect.stringMatching(/^".+"$/), stored_bytes: 2_000 });
    });

    test('20 at once make one file, one event and one object', async () => {
      const id = await newJob(service, studio.key);
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes, { job_id: id });
      await put(service, body.upload, bytes);
      const before = (await storage.keys()).length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => complete(service, studio.key, body.file.id)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(typesOf((await readJob(service, studio.key, id)).events)).toEqual(['job.created', 'job.file_attached']);
      expect((await storage.keys()).length).toBe(before);
    });

    test('413 file_too_large: more bytes than declared came there; they are deleted', async () => {
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes);
      await put(service, body.upload, bytes);
      const key = `uploads/${uuid(body.file.id)}.png`;
      await storage.write(key, someBytes(2_001));
      const answer = await complete(service, studio.key, body.file.id);
      expect([answer.status, answer.body.error.code]).toEqual([413, 'file_too_large']);
      expect(await fileIn(body.file.id)).toBe('pending_upload');
      expect((await storage.keys()).filter((one) => one.includes(uuid(body.file.id)))).toEqual([]);
      await put(service, body.upload, bytes);
      expect((await complete(service, studio.key, body.file.id)).status).toBe(200);
    });

    test('503 service_unavailable: the storage is down; presign works, nothing is marked, and it works again', async () => {
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes);
      await put(service, body.upload, bytes);
      const delivered = await newFile(service, studio.key, bytes);
      await storage.down();
      try {
        const answer = await complete(service, studio.key, body.file.id);
        expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await fileIn(body.file.id)).toBe('pending_upload');
        expect((await presign(service, studio.key, bytes)).status).toBe(201);
        expect((await post(service, studio.key, `/api/v1/files/${delivered.id}/download`)).status).toBe(200);
        await expect(sweep(service)).rejects.toThrow('storage');
      } finally {
        await storage.up();
      }
      expect((await complete(service, studio.key, body.file.id)).status).toBe(200);
      expect(await bytesOf(await download(service, studio.key, body.file.id))).toEqual(bytes);
    });

    test('422 invalid_request: the job of the file has ended since', async () => {
      const id = await newJob(service, studio.key);
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes, { job_id: id });
      await put(service, body.upload, bytes);
      await makeMoves(studio, id, 'cancel');
      const answer = await complete(service, studio.key, body.file.id);
      expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
      expect(await fileIn(body.file.id)).toBe('pending_upload');
    });
  });

  describe('a download', () => {
    const bytes = Buffer.from('0123456789');

    test('is an attachment of the declared type under a harmless name', async () => {
      const file = await newFile(service, studio.key, bytes, {
        file_name: '../../etc/pas"swd é.html',
        content_type: 'text/plain',
      });
      expect(file.file_name).toBe('../../etc/pas"swd é.html');
      const response = await download(service, studio.key, file.id);
      expect(response.headers.get('content-type')).toBe('text/plain');
      expect(response.headers.get('content-disposition')).toBe(
        `attachment; filename="_.._etc_pas_swd e.html.txt"; filename*=UTF-8''_.._etc_pas_swd%20%C3%A9.html.txt`,
      );
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(await response.text()).toBe('0123456789');
    });

    test('303 goes to the same bytes, and no cache may keep it', async () => {
      const file = await newFile(service, studio.key, bytes);
      const answer = await service.call('GET', `/api/v1/files/${file.id}/download`, { as: studio.key });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store']);
      const to = reachable(service, answer.headers.get('location') ?? '');
      expect(await bytesOf(await fetch(to))).toEqual(bytes);
    });

    test('gives parts', async () => {
      const file = await newFile(service, studio.key, bytes);
      const part = async (range: string) => {
        const response = await download(service, studio.key, file.id, { headers: { range } });
        return [response.status, response.headers.get('content-range'), await response.text()];
      };
      expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
      expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
      expect((await part('bytes=10-'))[0]).toBe(416);
    });

    test('is refused when any part of its URL is changed, when it has expired, and with another method', async () => {
      const file = await newFile(service, studio.key, bytes);
      const another = await newFile(service, studio.key, bytes);
      const { body } = await post(service, studio.key, `/api/v1/files/${file.id}/download`);
      const good = new URL(reachable(service, body.download.url));
      expect((await fetch(good)).status).toBe(200);
      const key = (await row(another.id)).object_key ?? '';
      const changed = [
        good.href.replace(/files\/[^?]+/, key),
        ...[...good.searchParams.keys()].flatMap((name) => {
          const [without, other] = [new URL(good), new URL(good)];
          without.searchParams.delete(name);
          other.searchParams.set(name, `${other.searchParams.get(name)?.slice(1)}0`);
          return [without.href, other.href];
        }),
      ];
      for (const url of changed) expect([400, 403, 404], url).toContain((await fetch(url)).status);
      for (const method of ['PUT', 'POST', 'DELETE'])
        expect([403, 404, 405], method).toContain((await fetch(good, { method })).status);
      expect((await fetch(good)).status).toBe(200);
      const from = new Date(Date.now() - 301_000);
      const terms = { contentType: 'image/png', disposition: 'attachment', from, seconds: 300 };
      const late = await service.context.storage.downloadUrl((await row(file.id)).object_key ?? '', terms);
      expect((await fetch(reachable(service, late))).status).toBe(403);
    });
  });

  describe('retention', () => {
    const ageRow = (id: string, column: 'created_at' | 'uploaded_at', days: number) =>
      sql`update files set ${sql.ref(column)} = now() - make_interval(days => ${days}) where id = ${uuid(id)}`.execute(
        service.context.db,
      );

    test('ends counted from the upload where there is no job; the row stays, the bytes go', async () => {
      const young = await newFile(service, studio.key, someBytes(), { retention_days: 2 });
      const old = await newFile(service, studio.key, someBytes(), { retention_days: 1 });
      await ageRow(young.id, 'uploaded_at', 1);
      await ageRow(old.id, 'uploaded_at', 1);
      const { object_key } = await row(old.id);
      await sweep(service);
      expect([await fileIn(young.id), await fileIn(old.id)]).toEqual(['uploaded', 'deleted']);
      expect(await storage.keys()).not.toContain(object_key);
      expect((await post(service, studio.key, `/api/v1/files/${old.id}/download`)).status).toBe(404);
      const again = await complete(service, studio.key, old.id);
      expect(again.body.file).toMatchObject({ status: 'deleted', deleted_at: expect.any(String) });
    });

    test('ends counted from the end of the job where there is one', async () => {
      const file = await newFile(service, studio.key, someBytes(), { retention_days: 1 });
      const created = await createJob(service, studio.key, { file_ids: [file.id] });
      const { id } = created.body.job;
      await ageRow(file.id, 'uploaded_at', 300);
      await sweep(service);
      expect(await fileIn(file.id)).toBe('uploaded');
      await makeMoves(studio, id, 'cancel');
      await sweep(service);
      expect(await fileIn(file.id)).toBe('uploaded');
      const { db } = service.context;
      await sql`update jobs set status_changed_at = now() - interval '25 hours' where id = ${readId('job', id)}`.execute(
        db,
      );
      await sweep(service);
      expect(await fileIn(file.id)).toBe('deleted');
      expect((await readJob(service, studio.key, id)).job.files).toMatchObject([{ id: file.id, status: 'deleted' }]);
    });

    test('expires what was never completed within a day', async () => {
      const bytes = someBytes();
      const { body } = await presign(service, studio.key, bytes);
      await put(service, body.upload, bytes);
      await ageRow(body.file.id, 'created_at', 1);
      await sweep(service);
      expect(await fileIn(body.file.id)).toBe('expired');
      expect((await storage.keys()).filter((key) => key.includes(uuid(body.file.id)))).toEqual([]);
      const late = await complete(service, studio.key, body.file.id);
      expect([late.status, late.body.error.code]).toEqual([409, 'upload_incomplete']);
    });

    test('sweeps up orphans, and nothing that belongs to a file or is young', async () => {
      const bytes = someBytes();
      const waiting = await presign(service, studio.key, bytes);
      await put(service, waiting.body.upload, bytes);
      const file = await newFile(service, studio.key, bytes);
      await put(service, file.upload, bytes); // what a reused upload URL leaves
      const orphan = `files/${uuid(unknownFile)}.pdf`;
      await storage.write(orphan, bytes);
      const young = `files/${uuid(unknownFile)}.zip`;
      await storage.write(young, bytes);
      const foreign = 'files/readme.txt';
      await storage.write(foreign, bytes);
      for (const key of await storage.keys()) if (key !== young) await storage.age(key, 25);
      await sweep(service);
      const keys = await storage.keys();
      const { object_key } = await row(file.id);
      expect(keys).toEqual(
        expect.arrayContaining([`uploads/${uuid(waiting.body.file.id)}.png`, object_key, young, foreign]),
      );
      expect(keys).not.toContain(orphan);
      expect(keys).not.toContain(`uploads/${uuid(file.id)}.png`);
      expect((await complete(service, studio.key, waiting.body.file.id)).status).toBe(200);
    });

    test('twice, and four at once, do the same as once', async () => {
      const ids = await Promise.all(
        Array.from(
          { length: 12 },
          async () => (await newFile(service, studio.key, someBytes(), { retention_days: 1 })).id,
        ),
      );
      for (const id of ids) await ageRow(id, 'uploaded_at', 2);
      const keep = await newFile(service, studio.key, someBytes());
      await Promise.all([sweep(service), sweep(service), sweep(service), sweep(service)]);
      await sweep(service);
      expect(new Set(await Promise.all(ids.map(fileIn)))).toEqual(new Set(['deleted']));
      expect(await fileIn(keep.id)).toBe('uploaded');
    });
  });

  test('nothing of another account is found, used or changed', async () => {
    const bytes = someBytes();
    const job = await newJob(service, studio.key);
    await makeMoves(studio, job, 'accept', 'start');
    const pending = (await presign(service, studio.key, bytes)).body.file.id;
    const free = (await newFile(service, studio.key, bytes)).id;
    const attached = (await newFile(service, studio.key, bytes, { job_id: job })).id;
    const hidden = (await newDeliverable(service, studio.operator.token, job, bytes)).id;
    const { person, key } = await newCustomer(service, 'studio');
    const snapshot = () => sql`select to_jsonb(f) as row from files f order by id`.execute(service.context.db);
    const before = await snapshot();
    const asked = async (as: string, id: string) => {
      const answers = [
        await post(service, as, `/api/v1/files/${id}/complete`),
        await service.call('GET', `/api/v1/files/${id}/download`, { as }),
        await post(service, as, `/api/v1/files/${id}/download`),
        await createJob(service, as, { file_ids: [id] }),
      ];
      return answers.map(({ status, body }) => ({ status, error: { ...body.error, request_id: '' } }));
    };
    for (const as of [key, person.token]) {
      const unknown = await asked(as, unknownFile);
      expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 422]);
      for (const id of [pending, free, attached, hidden]) expect(await asked(as, id)).toEqual(unknown);
      const named = await presign(service, as, bytes, { job_id: job });
      expect([named.status, named.body.error.code]).toEqual([404, 'job_not_found']);
      for (const path of [`jobs/${job}/files/presign`, `files/${hidden}/complete`, `files/${free}/download`])
        expect((await post(service, as, `/api/operator/v1/${path}`, {})).status).toBe(403);
    }
    const hiddenFromOwner = await asked(studio.key, hidden);
    expect(hiddenFromOwner.map(({ status }) => status)).toEqual([404, 404, 404, 422]);
    const stranger = await signUp(service);
    expect((await post(service, stranger.token, `/api/v1/files/${free}/download`)).status).toBe(404);
    expect((await snapshot()).rows).toEqual(before.rows);
  });
});
