import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { createMacro, deleteMacro, listMacros } from '../../test/support/macros.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200 with the macro, whose name is free again', async () => {
  const { service, operator } = studio;
  const { body } = await createMacro(service, operator.token, { name: 'Gone' });
  const { status, body: deleted } = await deleteMacro(service, operator.token, body.macro.id);
  expect([status, deleted]).toEqual([200, body]);
  expect((await listMacros(service, operator.token)).body.macros).not.toContainEqual(body.macro);
  expect((await createMacro(service, operator.token, { name: 'gone' })).status).toBe(201);
});

test('404 macro_not_found: unknown, or deleted before', async () => {
  const { service, operator } = studio;
  const { body } = await createMacro(service, operator.token);
  await deleteMacro(service, operator.token, body.macro.id);
  for (const id of ['mac_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x', body.macro.id]) {
    const { status, body: answer } = await deleteMacro(service, operator.token, id);
    expect([status, answer.error.code]).toEqual([404, 'macro_not_found']);
  }
});
