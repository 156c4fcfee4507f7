import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { createMacro, listMacros } from '../../test/support/macros.ts';
import { makeOperator } from '../../test/support/people.ts';
import { makeWorker } from '../../test/support/workers.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
// Of its own: it makes as many macros as there may be.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const create = (body?: object, key?: string) => createMacro(studio.service, studio.operator.token, body, key);

test('201 with the macro as it was written, which every operator has', async () => {
  const sent = { name: 'First 🥐 sketch', text: ' Hello {customer},\nround {round} of “{title}”. a { color: red }\n' };
  const { status, body } = await create({ ...sent, name: ` ${sent.name}\n` });
  expect(status).toBe(201);
  expect(body.macro).toEqual({
    ...sent,
    id: expect.stringMatching(/^mac_[0-9a-z]{26}$/),
    created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    created_at: expect.any(String),
    updated_at: body.macro.created_at,
  });
  const colleague = await makeOperator(studio.service);
  expect((await listMacros(studio.service, colleague.token)).body.macros[0]).toEqual(body.macro);
});

test('201 again with the same Idempotency-Key: one macro', async () => {
  const sent = { name: 'Once', text: 'Once.' };
  const first = await create(sent, 'macro-once');
  const second = await create(sent, 'macro-once');
  expect([second.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([201, 'true', first.body]);
});

test('403: workers and customers have no macros', async () => {
  const worker = await makeWorker(studio);
  for (const as of [worker, studio.key, studio.ada.token]) {
    expect((await createMacro(studio.service, as)).status).toBe(403);
    expect((await listMacros(studio.service, as)).status).toBe(403);
  }
});

describe('422 invalid_request', () => {
  test('a name that another macro has, in any case; of several at once one gets it', async () => {
    const made = await Promise.all(['Ärger', 'ärger', 'ÄRGER'].map((name) => create({ name })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const { body } = made.find(({ status }) => status === 422)!;
    expect(body.error).toMatchObject({ code: 'invalid_request', details: [{ location: '/name' }] });
  });

  test.each([
    ['a blank name', { name: ' ' }, '/name'],
    ['a name of 61', { name: 'x'.repeat(61) }, '/name'],
    ['a blank text', { text: ' \n' }, '/text'],
    ['a text of 5,001', { text: 'x'.repeat(5_001) }, '/text'],
    ['an unknown placeholder', { text: 'Hello {name}.' }, '/text'],
    ['a placeholder with other letters', { text: 'Hello {Customer}.' }, '/text'],
    ['an unknown field', { shortcut: 'h' }, '/shortcut'],
  ])('%s', async (_, body, location) => {
    const { status, body: answer } = await create(body);
    expect([status, answer.error.code, answer.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });

  test('unknown placeholders are named, with those that there are', async () => {
    const { body } = await create({ text: '{name} {customer} {due_date} {name}' });
    expect(body.error.details).toEqual([
      {
        location: '/text',
        message: 'must not have {name}, {due_date}: the placeholders are {customer}, {title}, {round}',
      },
    ]);
  });
});

test('403 limit_reached: the 201st, however many come at once', async () => {
  await sql`
    insert into macros (id, name, text, created_by)
    select uuidv7(), 'filled ' || n, 'x', ${studio.operator.userId}
    from generate_series(1, 198 - (select count(*)::int from macros)) n`.execute(studio.service.context.db);
  const last = await Promise.all([1, 2, 3, 4].map(() => create()));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
  expect(last.find(({ status }) => status === 403)?.body.error.code).toBe('limit_reached');
});
