import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { codegenOptions, kyselyCodegen } from './codegen-options.ts';
import { generateClient } from './generate-client.ts';

test('server/tables.ts is what the migrations make', () => {
  const options = [...codegenOptions(inject('templateUrl')), '--print', '--log-level', 'silent'];
  const made = execFileSync(kyselyCodegen, options);
  expect(readFileSync('server/tables.ts', 'utf8').trim()).toBe(made.toString().trim());
});

test('client/generated is what the document makes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-client-'));
  const files = (path: string) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .toSorted()
      .map((name) => [name, readFileSync(join(path, name), 'utf8')]);
  await generateClient(folder);
  expect(files('client/generated')).toEqual(files(folder));
  rmSync(folder, { recursive: true });
});
