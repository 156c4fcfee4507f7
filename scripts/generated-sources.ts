import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What `npm run generate` made the committed files of. The generators themselves are in `proof/`. */
export const sourcesFile = 'client/generated/sources.json';

const hashOf = (files: string[]) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
};

export const sourcesOfGenerated = () => ({
  migrations: hashOf(
    readdirSync('migrations')
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => `migrations/${name}`),
  ),
  openapi: hashOf(['client/openapi.json']),
});
