import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { createMacro, listMacros, replaceMacro } from '../../test/support/macros.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const newMacro = async (body?: object) => (await createMacro(studio.service, studio.operator.token, body)).body.macro;
const replace = (id: string, body?: object) => replaceMacro(studio.service, studio.operator.token, id, body);

test('200: name and text are replaced, by any operator; who made it stays', async () => {
  const before = await newMacro();
  const colleague = await makeOperator(studio.service);
  const sent = { name: 'Renamed', text: 'Round {round}.' };
  const { status, body } = await replaceMacro(studio.service, colleague.token, before.id, sent);
  expect(status).toBe(200);
  expect(body.macro).toEqual({ ...before, ...sent, updated_at: expect.any(String) });
  expect((await listMacros(studio.service, studio.operator.token)).body.macros).toContainEqual(body.macro);
});

test('200: the same name in another case is its own', async () => {
  const { id } = await newMacro({ name: 'case' });
  expect((await replace(id, { name: 'CASE' })).body.macro.name).toBe('CASE');
});

test('422 invalid_request: the name of another macro, and an unknown placeholder', async () => {
  await newMacro({ name: 'taken' });
  const { id } = await newMacro();
  for (const [body, location] of [
    [{ name: 'TAKEN' }, '/name'],
    [{ text: '{due}' }, '/text'],
  ] as const) {
    const { status, body: answer } = await replace(id, body);
    expect([status, answer.error.code, answer.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  }
});
