import { afterAll, beforeAll, expect, test } from 'vitest';
import { named, publish, versions } from '../../test/support/catalog-versions.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
// Of its own: it publishes catalogs.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

test('200: every operator reads the versions, the newest first, by pages', async () => {
  for (const name of ['Form', 'Shape']) await publish(studio, named(name), { note: name });
  const { token } = await makeOperator(studio.service, 'maker');
  const { body } = await studio.service.call('GET', versions, { as: token });
  expect(body).toMatchObject({
    catalog_versions: [
      { number: 3, note: 'Shape', created_by: { name: 'Operator' } },
      { number: 2, note: 'Form' },
      { number: 1, note: null, created_by: null },
    ],
    in_files: false,
    next_cursor: null,
  });
  const first = await studio.service.call('GET', `${versions}?limit=2`, { as: token });
  const rest = await studio.service.call('GET', `${versions}?limit=2&cursor=${first.body.next_cursor}`, { as: token });
  expect([...first.body.catalog_versions, ...rest.body.catalog_versions]).toEqual(body.catalog_versions);
});
