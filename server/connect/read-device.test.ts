import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postForm } from '../../test/support/apps.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';

let service: Service;
let ada: TestPerson;
beforeAll(async () => {
  service = await createService({ RATE_ENTER_DEVICE_CODE: 'person=5/600' });
  ada = await signUp(service);
});
afterAll(() => service.close());

const codeOf = async () => (await postForm(service, '/device/code', { client_id: 'atelier-cli' })).body.user_code ?? '';
const read = (code: string, as = ada) => service.call('GET', `/api/auth/device?code=${code}`, { as });

test('200: the program that waits, its code in any writing', async () => {
  const code = await codeOf();
  const [head, tail] = [code.slice(0, 4), code.slice(4)];
  for (const written of [code, `${head.toLowerCase()}-${tail}`, `\u200b ${head} – ${tail}\n`, [...code].join(' - ')]) {
    const { status, body } = await read(encodeURIComponent(written));
    expect(status).toBe(200);
    expect(body).toMatchObject({ app: { name: 'Atelier CLI', host: null, checked: true }, redirect_host: null });
    expect(body.scopes).toEqual(['api:read', 'api:write']);
  }
});

test('400 invalid_request: a code that is over; and after five tries in ten minutes none is read', async () => {
  const person = await signUp(service);
  const code = await codeOf();
  await sql`update oauth_device_codes set expires_at = now() - interval '1 ms' where user_code = ${code}`.execute(
    service.context.db,
  );
  const refused = await read(code, person);
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
  for (let n = 0; n < 4; n++) expect((await read('BCDFGHJK', person)).status).toBe(400);
  expect((await read(await codeOf(), person)).status).toBe(429);
});
