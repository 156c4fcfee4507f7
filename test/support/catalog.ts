import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Db } from '../../server/db/pool.ts';
import { readFolder } from '../../server/catalog/documents.ts';

const shipped = fileURLToPath(new URL('../../catalog', import.meta.url));

/** A copy of the shipped catalog, with texts of `families.yaml` replaced and these files beside it. */
export function catalogWith(edits: [from: string, to: string][], files: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'atelier-catalog-'));
  cpSync(shipped, dir, { recursive: true });
  const path = join(dir, 'families.yaml');
  const text = edits.reduce(
    (before, [from, to]) => {
      if (!before.includes(from)) throw new Error(`families.yaml has no “${from}”.`);
      return before.replace(from, () => to);
    },
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, text);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return dir;
}

/** The number of the version that a service serves. */
export async function newestVersionOf({ context }: { context: { db: Db } }): Promise<number> {
  const { rows } = await sql<{ number: number }>`select max(number) as number from catalog_versions`.execute(
    context.db,
  );
  return rows[0]?.number ?? 0;
}

/** The files of a folder, as the desk sends them. */
export const documentsIn = (dir = shipped): { file: string; text?: string; base64?: string }[] =>
  Array.from(readFolder(dir), ([file, bytes]) =>
    file.endsWith('.yaml') ? { file, text: bytes.toString() } : { file, base64: bytes.toString('base64') },
  );
