import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';

test('server/tables.ts is what the migrations make', () => {
  const made = execFileSync('kysely-codegen', [
    '--dialect',
    'postgres',
    '--url',
    inject('templateUrl'),
    '--print',
    '--log-level',
    'silent',
  ]);
  expect(readFileSync('server/tables.ts', 'utf8').trim()).toBe(made.toString().trim());
});

test('client/openapi.json is what the contract makes', () => {
  const committed: unknown = JSON.parse(readFileSync('client/openapi.json', 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(openapi('http://localhost:3000'))));
});
