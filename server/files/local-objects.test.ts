import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { oldObjects, removeAbandoned } from './local-objects.ts';
import { probe } from './local-owner.ts';
import { probeKey } from './storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-objects-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const half = () => readdirSync(join(folder, 'tmp'));

test('a probe that fails leaves no temporary file', async () => {
  mkdirSync(join(folder, probeKey));
  await expect(probe(folder)).rejects.toThrow('unavailable');
  expect(half()).toEqual([]);
});

test('who lists a folder deletes nothing; a sweep deletes half-written files older than a day', async () => {
  mkdirSync(join(folder, 'tmp'));
  for (const name of ['old', 'new']) writeFileSync(join(folder, 'tmp', name), '');
  const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
  utimesSync(join(folder, 'tmp', 'old'), twoDaysAgo, twoDaysAgo);
  expect(await Array.fromAsync(oldObjects(folder, new Date()))).toEqual([]);
  expect(half()).toHaveLength(2);
  await removeAbandoned(folder);
  expect(half()).toEqual(['new']);
});
