import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapi } from '../contract/openapi.ts';
import { startEmbeddedPostgres } from '../server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../server/db/migrate.ts';
import { asLines } from './as-lines.ts';
import { codegenOptions } from './codegen-options.ts';
import { generateClient } from './generate-client.ts';
import { skillFile, withErrors } from './skill-errors.ts';

/** `npm run generate` writes all generated files. Tests check that the committed ones are up to date. */
const folder = mkdtempSync(join(tmpdir(), 'atelier-generate-'));
const postgres = await startEmbeddedPostgres(folder, () => {}, { fsync: 'off' });
try {
  await migrate(postgres.url);
  const options = [...codegenOptions(postgres.url), '--out-file', 'server/tables.ts'];
  execFileSync('kysely-codegen', options, { stdio: 'inherit' });
  writeFileSync('client/openapi.json', `${asLines(openapi('http://localhost:3000'))}\n`);
  await generateClient('client/generated');
  writeFileSync(skillFile, withErrors(readFileSync(skillFile, 'utf8')));
} finally {
  await postgres.stop();
  for (const path of [postgres.directory, folder]) rmSync(path, { recursive: true, force: true });
}
