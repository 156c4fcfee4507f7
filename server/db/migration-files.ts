import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/places.ts';

const folder = join(root, 'migrations');

export type MigrationFile = { name: string; text: string; sha256: string };

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The migrations of this version, in their order. */
export const migrationNames = async (): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.replace('.sql', ''))
    .toSorted();

export async function readMigrationFiles(): Promise<MigrationFile[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(join(folder, `${name}.sql`), 'utf8');
      return { name, text, sha256: sha256Of(text) };
    }),
  );
}

/** A statement ends with a semicolon at the end of a line, outside a body between dollar signs. */
export function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let body: string | null = null;
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/\$\w*\$|;$/gm)) {
    if (mark !== ';') body = body === null ? mark : body === mark ? null : body;
    else if (body === null) {
      statements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  const rest = text.slice(start).trim();
  return rest === '' ? statements : [...statements, rest];
}
