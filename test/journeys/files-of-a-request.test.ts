import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseSettings, environment } from '../support/harness.ts';
import { createStudio, draft, type Studio } from '../support/jobs.ts';

let studio: Studio;
let files: Record<'create' | 'read', string[]>;

beforeAll(async () => {
  studio = await createStudio();
  const { service, key } = studio;
  const { variables } = databaseSettings(service.databaseUrl);
  const script = join(import.meta.dirname, '../support/files-process.ts');
  const env = { ...process.env, ...environment, ...variables, KEY: key, DRAFT: JSON.stringify(draft) };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  files = JSON.parse(stdout) as typeof files;
});
afterAll(() => studio.service.close());

test.each([
  ['create', 45],
  ['read', 33],
] as const)('a request to %s a job runs functions of at most %i files of ours', (kind, most) => {
  const ran = files[kind];
  expect(ran).toContain('server/http/invoke.ts');
  expect(ran.length, `These ran:\n${ran.join('\n')}\n`).toBeLessThanOrEqual(most);
});
