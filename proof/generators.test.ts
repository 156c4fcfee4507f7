import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { generate } from 'orval';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openapi } from '../contract/openapi.ts';

/**
 * What other generators make of the document compiles under `strict` and loads: three that write zod schemas
 * with the patterns in them.
 */

const program = (name: string) => join(import.meta.dirname, 'node_modules/.bin', name);

// Beside the packages, so that the generated code finds zod.
let folder = '';
let document = '';
beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, 'node_modules/.generated-'));
  document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(openapi('http://localhost:3000')));
});
afterAll(() => rmSync(folder, { recursive: true }));

const generators: Record<string, () => unknown> = {
  'orval.ts': () => generate({ input: document, output: { target: join(folder, 'orval.ts'), client: 'zod' } }),
  'hey-api/zod.gen.ts': () =>
    createClient({
      input: document,
      output: join(folder, 'hey-api'),
      logs: { level: 'silent' },
      plugins: ['@hey-api/typescript', 'zod'],
    }),
  'redocly.zod.ts': () => {
    const names = ['typescript', 'zod'].flatMap((name) => ['--generator', name]);
    execFileSync(program('redocly'), ['generate-client', document, ...names, '--output', join(folder, 'redocly.ts')]);
  },
};

test.each(Object.keys(generators))('%s', { timeout: 300_000 }, async (file) => {
  await generators[file]?.();
  const made: object = await import(join(folder, file));
  expect(Object.keys(made).length).toBeGreaterThan(100);
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  expect(run('tsc', ...strict, '--target', 'esnext', '--ignoreConfig', join(folder, file))).toBe('');
});

/** What a program prints. */
function run(name: string, ...words: string[]): string {
  try {
    return execFileSync(program(name), words, { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
