import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What `npm run generate` made, and of what. The generators themselves are in `proof/`. */
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
  generated: hashOf([
    'server/tables.ts',
    ...readdirSync('client/generated', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .toSorted()
      .map((name) => `client/generated/${name}`),
  ]),
});
