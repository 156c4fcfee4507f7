import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';
import { codegenOptions } from '../scripts/codegen-options.ts';
import { generateClient } from '../scripts/generate-client.ts';
import { skillFile, withErrors } from '../scripts/skill-errors.ts';

test('server/tables.ts is what the migrations make', () => {
  const options = [...codegenOptions(inject('templateUrl')), '--print', '--log-level', 'silent'];
  const made = execFileSync('kysely-codegen', options);
  expect(readFileSync('server/tables.ts', 'utf8').trim()).toBe(made.toString().trim());
});

test('client/openapi.json is what the contract makes', () => {
  const committed: unknown = JSON.parse(readFileSync('client/openapi.json', 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(openapi('http://localhost:3000'))));
});

test('client/openapi.json has at most 440 kB', () => {
  expect(readFileSync('client/openapi.json').length).toBeLessThanOrEqual(440_000);
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

test('the errors of the skill are those of the contract', () => {
  const skill = readFileSync(skillFile, 'utf8');
  expect(skill).toContain('| `quota_exceeded` | 6 |');
  expect(skill).toBe(withErrors(skill));
});
