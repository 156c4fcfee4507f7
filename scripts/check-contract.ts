import { readdirSync, readFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes.ts';
import type { Document } from './compare-schemas.ts';

/** `npm run check:contract`: what would break a caller of the newest released document. */
const folder = 'contract/released';
const byVersion = new Intl.Collator('en', { numeric: true });
const newest = readdirSync(folder)
  .filter((name) => /^[\d.]+\.json$/.test(name))
  .toSorted((a, b) => byVersion.compare(a, b))
  .at(-1);
if (!newest) throw new Error(`There is no released document in ${folder}.`);

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Document;
const changes = breakingChanges(read(`${folder}/${newest}`), read('client/openapi.json'));
for (const change of changes) console.error(change);
if (changes.length > 0) {
  console.error(`\n${changes.length} breaking changes since ${newest}. contract/README.md says what to do instead.`);
  process.exitCode = 1;
} else console.log(`No breaking change since ${newest}.`);
