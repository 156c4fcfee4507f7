import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';
import { version } from '../server/lib/version.ts';
import { copiedFiles, sourcesFile, sourcesOfGenerated } from '../scripts/generated-sources.ts';
import { skillFile, withErrors } from '../scripts/skill-errors.ts';

// That they are exactly what the generators make is tested in proof/generated.test.ts.
test('server/tables.ts and client/generated were made of the migrations and the document of today', () => {
  expect(JSON.parse(readFileSync(sourcesFile, 'utf8')), 'run `npm run generate`').toEqual(sourcesOfGenerated());
});

test('client/openapi.json is what the contract makes', () => {
  const committed: unknown = JSON.parse(readFileSync('client/openapi.json', 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(openapi('http://localhost:3000', { release: version }))));
});

test('client/openapi.json has at most 570 kB', () => {
  expect(readFileSync('client/openapi.json').length).toBeLessThanOrEqual(570_000);
});

test.each(copiedFiles)('client/generated has a copy of contract/%s', (file) => {
  const copy = readFileSync(`client/generated/${basename(file)}`, 'utf8');
  expect(copy).toBe(readFileSync(`contract/${file}`, 'utf8'));
});

test('the errors of the skill are those of the contract', () => {
  const skill = readFileSync(skillFile, 'utf8');
  expect(skill).toContain('| `quota_exceeded` | 6 |');
  expect(skill).toBe(withErrors(skill));
});
