import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentsIn } from '../../test/support/catalog.ts';
import { named, publish, versions } from '../../test/support/catalog-versions.ts';
import { said } from '../../test/support/every-endpoint.ts';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { makeOperator } from '../../test/support/people.ts';

let studio: Studio;
// Of its own: it publishes catalogs.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const read = async (number: number | string) => {
  const { token } = await makeOperator(studio.service, 'maker');
  return studio.service.call('GET', `${versions}/${number}`, { as: token });
};

test('200: its documents, and the lines that changed since the version before', async () => {
  const documents = named('Form');
  await publish(studio, documents);
  const { body } = await read(2);
  const texts = documents.flatMap(({ file, text }) => (text === undefined ? [] : [[file, text]]));
  const shown: { file: string; text: string | null }[] = body.catalog_version.documents;
  expect(shown.flatMap(({ file, text }) => (text === null ? [] : [[file, text]]))).toEqual(texts);
  const [change, ...others] = body.catalog_version.changes;
  expect([change.file, change.kind, change.lines.length, others]).toEqual(['families.yaml', 'changed', 8, []]);
  const [removed, added] = change.lines.filter(({ kind }: { kind: string }) => kind !== 'same');
  expect([removed.kind, removed.text, removed.after]).toEqual(['removed', '    name: Design', null]);
  expect([added.kind, added.text, added.after]).toEqual(['added', '    name: Form', removed.before]);
});

test('200: of the first version everything was added, and a picture has no lines', async () => {
  const { body } = await read(1);
  const { changes } = body.catalog_version;
  expect(changes.map(({ file }: { file: string }) => file)).toEqual(documentsIn().map(({ file }) => file));
  const picture = changes.find(({ file }: { file: string }) => file === 'pictures/design/logo.svg');
  expect(picture).toMatchObject({ kind: 'added', lines: [] });
});

test('404 catalog_version_not_found: a number that no version has', async () => {
  for (const number of [999, 0, '01', 'newest', '99999999999'])
    expect(said(await read(number))).toBe('404 catalog_version_not_found');
});
