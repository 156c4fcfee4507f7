import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Files of the contract that the client has a copy of. They import nothing. */
export const copiedFiles = ['plans/plan-words.ts', 'door-words.ts', 'typed.ts', 'jobs/optional-fields.ts'];

/** What `npm run generate` made, and of what. The generators themselves are in `proof/`. */
export const sourcesFile = 'client/generated/sources.json';

const hashOf = (files: string[]) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
};

const filesOf = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => `${folder}/${name}`);

export const sourcesOfGenerated = () => ({
  migrations: hashOf(filesOf('migrations', '.sql')),
  openapi: hashOf(['client/openapi.json']),
  generated: hashOf(['server/tables.ts', ...filesOf('client/generated', '.ts')]),
});
