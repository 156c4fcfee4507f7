import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { completePage, newUploadPage, presign, sendByPage } from '../../test/support/files.ts';
import { createService, type As, type Service } from '../../test/support/harness.ts';
import { sharedStudio, newCustomer, post, type Studio } from '../../test/support/jobs.ts';
import { addMember, closeAccount, makeKey, newSession } from '../../test/support/people.ts';
import { readId, showId } from '../lib/id.ts';
import { deleteOldUploadPages } from './upload-page.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const read = async (token: string) => {
  const { status, body } = await post(service, null, '/api/v1/upload-pages/read', { token });
  return status === 200 ? 200 : `${status} ${body.error.code}`;
};
const dead = '404 upload_page_not_found';

test('200 with who asks for what and until when; nothing else of the account, and no header is needed', async () => {
  const { token, url, expires_at } = await newUploadPage(service, studio.key);
  expect(url).toBe(`${service.context.publicUrl}/upload#${token}`);
  const { status, body } = await post(service, null, '/api/v1/upload-pages/read', { token });
  expect(status).toBe(200);
  expect(body.upload_page).toEqual({
    account_name: expect.any(String),
    requested_by: 'test key',
    file_name: 'brand guide.png',
    expires_at,
  });
  const lasts = Date.parse(expires_at) - Date.now();
  expect(lasts).toBeGreaterThan(29.5 * 60_000);
  expect(lasts).toBeLessThanOrEqual(30 * 60_000);
});

test('200 at the same address after a repeat of the request, also of many at once; at a new one after it has ended', async () => {
  const ask = async () => (await presign(service, studio.key, Buffer.from('hello'), {}, 'page')).body;
  const answers = await Promise.all(Array.from({ length: 10 }, ask));
  expect(new Set(answers.map(({ page }) => page.url)).size).toBe(1);
  const first = new URL(answers[0].page.url).hash.slice(1);
  await sql`update upload_pages set expires_at = now()`.execute(service.context.db);
  expect(await read(first)).toBe(dead);
  const second = new URL((await ask()).page.url).hash.slice(1);
  expect(await read(second)).toBe(200);
  expect(await read(first)).toBe(dead);
});

test('200 for a session with a header; a browser gets no page, and a repeat after the upload neither', async () => {
  const { token } = await newUploadPage(service, studio.ada.token);
  expect(await read(token)).toBe(200);
  const inBrowser = await presign(service, { cookie: studio.ada.cookie }, Buffer.from('hello'));
  expect([inBrowser.status, inBrowser.body.page]).toEqual([201, null]);
  const { page } = (await presign(service, studio.key, Buffer.from('hello'), {}, 'sent')).body;
  const sent = new URL(page.url).hash.slice(1);
  await sendByPage(service, sent, Buffer.from('hello'));
  expect((await completePage(service, sent)).status).toBe(200);
  expect((await presign(service, studio.key, Buffer.from('hello'), {}, 'sent')).body.page).toBeNull();
});

test('404 upload_page_not_found: unknown, misspelt, expired, used, or its file was deleted, all in the same words', async () => {
  const { token } = await newUploadPage(service, studio.key);
  const [expired, used, deleted] = [
    await newUploadPage(service, studio.key),
    await newUploadPage(service, studio.key),
    await newUploadPage(service, studio.key),
  ];
  const { db } = service.context;
  const uuid = readId('file', expired.id);
  await sql`update upload_pages set expires_at = now() where file_id = ${uuid}`.execute(db);
  await sendByPage(service, used.token, Buffer.from('hello'));
  expect((await completePage(service, used.token)).status).toBe(200);
  await service.call('DELETE', `/api/v1/files/${deleted.id}`, { as: studio.key });
  const answers = await Promise.all(
    ['x', token.slice(1), token.toUpperCase(), expired.token, used.token, deleted.token].map((text) =>
      post(service, null, '/api/v1/upload-pages/read', { token: text }),
    ),
  );
  const words = answers.map(({ status, body }) => JSON.stringify([status, { ...body.error, request_id: '' }]));
  expect(new Set(words).size).toBe(1);
  expect(answers[0]?.body.error.code).toBe('upload_page_not_found');
  expect(await read(token)).toBe(200);
});

test('404 upload_page_not_found: as soon as the authority of its maker has ended', async () => {
  const ends: [string, () => Promise<{ as: As; end: () => Promise<unknown> }>][] = [
    [
      'a revoked key',
      async () => {
        const as = await makeKey(service, studio.ada);
        const { body } = await service.call('GET', '/api/v1/api-keys', { as: studio.ada.token });
        return {
          as,
          end: () => service.call('DELETE', `/api/v1/api-keys/${body.api_keys[0].id}`, { as: studio.ada.token }),
        };
      },
    ],
    [
      'an expired key',
      async () => ({
        as: await makeKey(service, studio.ada),
        end: () =>
          sql`update api_keys set expires_at = now() where id = (select max(id::text)::uuid from api_keys)`.execute(
            service.context.db,
          ),
      }),
    ],
    [
      'the key of a member who was removed',
      async () => {
        const admin = await addMember(service, studio.ada, 'admin');
        const path = `/api/auth/members/${showId('mem', admin.memberId)}`;
        return {
          as: await makeKey(service, admin),
          end: () => service.call('DELETE', path, { as: studio.ada.token, body: {} }),
        };
      },
    ],
    [
      'a member who was removed',
      async () => {
        const member = await addMember(service, studio.ada, 'member');
        const path = `/api/auth/members/${showId('mem', member.memberId)}`;
        return { as: member.token, end: () => service.call('DELETE', path, { as: studio.ada.token, body: {} }) };
      },
    ],
    [
      'a session that signed out',
      async () => {
        const session = await newSession(service, studio.ada);
        return { as: session.token, end: () => post(service, session.token, '/api/auth/sign-out', {}) };
      },
    ],
  ];
  for (const [maker, make] of ends) {
    const { as, end } = await make();
    const { token } = await newUploadPage(service, as);
    expect(await read(token), maker).toBe(200);
    await end();
    expect(await read(token), maker).toBe(dead);
  }
});

test('404 upload_page_not_found: a suspended account until it is open again, and a closed one', async () => {
  const { person, key } = await newCustomer(service, 'studio');
  const { token } = await newUploadPage(service, key);
  const path = `/api/operator/v1/accounts/${showId('acct', person.accountId)}`;
  await post(service, studio.operator.token, `${path}/suspend`, { reason: 'Charged back.' });
  expect(await read(token)).toBe(dead);
  await post(service, studio.operator.token, `${path}/reopen`);
  expect(await read(token)).toBe(200);
  await closeAccount(service, person);
  expect(await read(token)).toBe(dead);
});

test('422 invalid_request: no token, an empty one, and one that is too long', async () => {
  for (const body of [{}, { token: '' }, { token: 'x'.repeat(201) }, { token: 7 }]) {
    const answer = await post(service, null, '/api/v1/upload-pages/read', body);
    expect([answer.status, answer.body.error.code]).toEqual([422, 'invalid_request']);
  }
});

test('429 rate_limit_exceeded: guessing from one address', async () => {
  const small = await createService({ RATE_USE_UPLOAD_PAGE: 'address=2/60' });
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await post(small, null, '/api/v1/upload-pages/read', { token: 'x' }));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
  await small.close();
});

test('no token is stored, and the rows of ended pages are deleted', async () => {
  const { token } = await newUploadPage(service, studio.key);
  const { db } = service.context;
  const { rows } = await sql<{ row: string }>`select to_jsonb(p)::text as row from upload_pages p`.execute(db);
  expect(rows.some(({ row }) => row.includes(token))).toBe(false);
  await sql`update upload_pages set expires_at = now() - interval '1 second'`.execute(db);
  await deleteOldUploadPages(db, new AbortController().signal);
  expect((await sql`select from upload_pages`.execute(db)).rows).toEqual([]);
});
