import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the shipped catalog, with texts of `families.yaml` replaced and these files beside it. */
export function catalogWith(edits: [from: string, to: string][], files: Record<string, string> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'atelier-catalog-'));
  cpSync(new URL('../../catalog', import.meta.url), dir, { recursive: true });
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
