import { expect, test } from 'vitest';
import { openapi } from '../../contract/openapi.ts';

/**
 * The constructs that JavaScript, Python, Rust, Java, Go and PCRE read alike: characters, classes of them, groups,
 * repetitions. Not in it: lookarounds, property classes, empty classes, references, and escapes such as `\0`, `\d` or `\u`.
 */
const escaped = String.raw`\\(?:[sS]|x[0-9a-f]{2}|[.*+?()|{}^$/\\[\]-])`;
const inClass = String.raw`(?:${escaped}|[^\\[\]])`;
const common = new RegExp(
  String.raw`^(?!.*(?:--|&&|~~))(?:${escaped}|\[\^?(?!\^)${inClass}+\]|\(\?:|\((?!\?)|\)|[.*+?|^$]|\{\d{1,3}(?:,\d{0,3})?\}|[^\\()[\]{}.*+?|^$])*$`,
);

type Schema = { pattern?: unknown; const?: unknown; enum?: unknown };

function* schemasWithPatterns(node: unknown, path: string): Generator<[path: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  const schema: Schema = node;
  if (typeof schema.pattern === 'string') yield [path, schema];
  for (const [name, inner] of Object.entries(node)) yield* schemasWithPatterns(inner, `${path}/${name}`);
}

const published = [...schemasWithPatterns(openapi('http://localhost:3000'), '')];

test('what other languages read otherwise is found', () => {
  const foreign = [
    '\\p{L}',
    '(?=a)',
    '(?!a)',
    '(?<!a)b',
    '(?<n>a)',
    '[^]',
    '[]',
    '[^\\0]*',
    '\\d',
    '\\u0000',
    '(a)\\1',
    '[[a]',
    'a{1,2000}',
  ];
  expect(foreign.filter((pattern) => common.test(pattern))).toEqual([]);
});

test('every published pattern is read alike by JavaScript without flags and by other languages', () => {
  expect(published.length).toBeGreaterThan(100);
  expect(published.filter(([, { pattern }]) => !common.test(String(pattern)))).toEqual([]);
  for (const [path, { pattern }] of published) expect(() => new RegExp(String(pattern)), path).not.toThrow();
});

test('none stands beside a list of values', () => {
  expect(published.filter(([, schema]) => schema.const !== undefined || schema.enum !== undefined)).toEqual([]);
});
