import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  complete,
  openTestStorage,
  presign,
  put,
  reachable,
  storageKinds,
  type TestStorage,
} from '../../test/support/files.ts';
import { createStudio, newJobIn, post, type Studio } from '../../test/support/jobs.ts';

type Shipped = { media_type: string; extensions: string[]; starts_with?: string[] };
const { file_types: shipped } = parse(
  readFileSync(new URL('../../catalog/file-types.yaml', import.meta.url), 'utf8'),
) as { file_types: Shipped[] };

/** Bytes that begin as this line of `starts_with` says. */
const beginning = (line: string) =>
  Buffer.from([...line.split(' ').map((byte) => (byte === '??' ? 0 : Number.parseInt(byte, 16))), 1, 2, 3]);
const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
const octets = 'application/octet-stream';

describe.each(storageKinds)('types of file-types.yaml on the storage %s', (kind) => {
  let storage: TestStorage;
  let studio: Studio;
  beforeAll(async () => {
    storage = await openTestStorage(kind);
    studio = await createStudio(storage.env);
  });
  afterAll(async () => {
    await studio?.service.close();
    await storage?.close();
  });

  const expectAttachment = async (url: string, bytes: Buffer, name: string) => {
    const answer = await fetch(reachable(studio.service, url));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, octets]);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${name}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  };

  test.each(shipped)('$media_type is stored and downloaded as an attachment without its type', async (type) => {
    const { media_type: content_type, extensions, starts_with = [] } = type;
    for (const bytes of starts_with.length > 0 ? starts_with.map(beginning) : [page]) {
      const name = `work.${extensions.at(-1)}`;
      const { status, body } = await presign(studio.service, studio.key, bytes, { content_type, file_name: name });
      expect([status, body.upload.headers['content-type']]).toEqual([201, octets]);
      expect((await put(studio.service, body.upload, bytes)).status).toBe(200);
      const completed = await complete(studio.service, studio.key, body.file.id);
      expect(completed.body.file).toMatchObject({ status: 'uploaded', content_type });
      const got = await post(studio.service, studio.key, `/api/v1/files/${body.file.id}/download`);
      await expectAttachment(got.body.download.url, bytes, name);
    }
  });

  test.each(shipped.filter(({ starts_with }) => starts_with))(
    '409 upload_incomplete: bytes that do not begin as $media_type does; the right ones are taken after them',
    async ({ media_type: content_type, starts_with: [line = ''] = [] }) => {
      const { body } = await presign(studio.service, studio.key, page, { content_type });
      await put(studio.service, body.upload, page);
      const refused = await complete(studio.service, studio.key, body.file.id);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'upload_incomplete']);
      expect(refused.body.error.message).toContain(content_type);
      const right = Buffer.concat([beginning(line), page]).subarray(0, page.length);
      expect((await put(studio.service, refused.body.error.upload, right)).status).toBe(200);
      expect((await complete(studio.service, studio.key, body.file.id)).status).toBe(200);
    },
  );

  test('a deliverable of the studio, too', async () => {
    const { service, operator } = studio;
    const id = await newJobIn(studio, 'running');
    const wish = { content_type: 'image/svg+xml', file_name: 'logo.svg', size_bytes: page.length };
    const { body } = await post(service, operator.token, `/api/operator/v1/jobs/${id}/files/presign`, wish);
    expect(body.upload.headers['content-type']).toBe(octets);
    await put(service, body.upload, page);
    const done = await post(service, operator.token, `/api/operator/v1/files/${body.file.id}/complete`);
    expect(done.status).toBe(200);
    const opened = await post(service, operator.token, `/api/operator/v1/files/${body.file.id}/download`, {});
    await expectAttachment(opened.body.download.url, page, 'logo.svg');
  });

  test('422 unsupported_file names the endings of both lists; parameters and upper case do not matter', async () => {
    const { status, body } = await presign(studio.service, studio.key, page, {
      content_type: 'application/x-msdownload',
    });
    expect([status, body.error.code]).toEqual([422, 'unsupported_file']);
    for (const ending of ['txt', 'svg']) expect(body.error.action).toMatch(new RegExp(`\\b${ending}\\b`));
    const other = await presign(studio.service, studio.key, page, { content_type: 'Text/HTML; charset=utf-8' });
    expect(other.body.file.content_type).toBe('text/html');
  });
});
