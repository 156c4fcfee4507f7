import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openapi } from '../contract/openapi.ts';
import { startEmbeddedPostgres } from '../server/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../server/db/migrate.ts';
import { version } from '../server/lib/version.ts';
import { asLines } from '../scripts/as-lines.ts';
import { codegenOptions, kyselyCodegen } from './codegen-options.ts';
import { generateClient } from './generate-client.ts';
import { sourcesFile, sourcesOfGenerated } from '../scripts/generated-sources.ts';
import { skillFile, withErrors } from '../scripts/skill-errors.ts';

/** `npm run generate` writes all generated files. Tests check that the committed ones are up to date. */
const folder = mkdtempSync(join(tmpdir(), 'atelier-generate-'));
const postgres = await startEmbeddedPostgres(folder, () => {}, { fsync: 'off' });
try {
  await migrate(postgres.url);
  const options = [...codegenOptions(postgres.url), '--out-file', 'server/tables.ts'];
  execFileSync(kyselyCodegen, options, { stdio: 'inherit' });
  writeFileSync('client/openapi.json', `${asLines(openapi('http://localhost:3000', { release: version }))}\n`);
  await generateClient('client/generated');
  writeFileSync(sourcesFile, `${JSON.stringify(sourcesOfGenerated(), null, 2)}\n`);
  writeFileSync(skillFile, withErrors(readFileSync(skillFile, 'utf8')));
  const recording = ['scripts/run.cjs', 'vitest', 'run', '--project', 'sweeps', 'test/sweeps/answer-examples.test.ts'];
  execFileSync(process.execPath, recording, { stdio: 'inherit', env: { ...process.env, RECORD: 'yes' } });
} finally {
  await postgres.stop();
  for (const path of [postgres.directory, folder]) rmSync(path, { recursive: true, force: true });
}
