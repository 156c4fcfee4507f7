import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrationFiles } from '../../server/db/migration-files.ts';
import { root } from '../faults/process.ts';

test('no migration has changed since it was released', async () => {
  const lines = (await readFile(join(root, 'migrations/CHECKSUMS'), 'utf8')).trim().split('\n');
  const files = await readMigrationFiles();
  const texts = files.slice(0, lines.length).map(({ name, sha256 }) => `${sha256}  ${name}.sql`);
  expect(lines).toEqual(texts);
});
