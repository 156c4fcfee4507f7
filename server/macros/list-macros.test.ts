import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { createMacro, listMacros } from '../../test/support/macros.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: newest first', async () => {
  const { service, operator } = studio;
  const names = ['One', 'Two', 'Three'];
  for (const name of names) await createMacro(service, operator.token, { name });
  const { status, body } = await listMacros(service, operator.token);
  expect(status).toBe(200);
  expect(body.macros.slice(0, 3).map(({ name }: { name: string }) => name)).toEqual(names.toReversed());
});
