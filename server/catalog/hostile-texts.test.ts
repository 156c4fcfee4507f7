import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawnTexts, hostileNames, hostileText, textOf } from '../../test/support/hostile-texts.ts';
import { documentsIn } from '../../test/support/catalog.ts';
import { loadDocuments } from './load-catalog.ts';

const problemsOf = (text: string, file = 'families.yaml') =>
  loadDocuments(new Map([[file, Buffer.from(text)]])).problems.filter((problem) => problem.file === file);
const first = (text: string) => {
  const [{ line, column, message } = { line: 0, column: 0, message: '' }] = problemsOf(text);
  return `${line}:${column} ${message}`;
};

test('what no catalog has is refused before it is parsed, at its place', () => {
  expect(first(`a: ${'x'.repeat(400_000)}`)).toBe('1:1 has more than 400000 characters');
  expect(first('a:\n'.repeat(20_001))).toBe('20001:1 has more than 20000 lines');
  expect(first(`a: 1\nb: ${'['.repeat(33)}`)).toBe('2:35 is nested deeper than 32 levels');
  expect(first(`a: 1\n${'- '.repeat(33)}`)).toBe('2:65 is nested deeper than 32 levels');
  expect(first(`${']'.repeat(40)}${'{'.repeat(33)}`)).toBe('1:73 is nested deeper than 32 levels');
  expect(first(`- &a x\n${'- *a\n'.repeat(1_001)}`)).toBe('1002:3 has more than 1000 aliases');
  expect(first(`a: [${'1,'.repeat(60_000)}]`)).toMatch(/^1:\d+ has more than 120000 words and marks$/);
});

test('marks in texts are neither levels nor aliases', () => {
  const mark = { list: '- ', star: '* ', brackets: '[{' };
  const texts = Object.values(mark).map(
    (sign, i) => `t${i}: "${sign.repeat(1_100)}"\nb${i}: |\n  ${sign.repeat(1_100)}\n`,
  );
  const lists = '- a: [1, 2]\n  b: { c: 1 }\n'.repeat(100);
  expect(problemsOf(`${texts.join('')}lists:\n${lists}`).map(({ message }) => message)).toEqual([
    'lacks "families"',
    expect.stringContaining('is not a known field'),
    ...Array.from({ length: 6 }, () => expect.stringContaining('is not a known field')),
  ]);
});

test('a map as a key is a problem; keys are repeated in any form', () => {
  expect(first('{{{{a: 1}}}}')).toBe('1:2 A map key must be a word');
  expect(first('? [a]\n: 1')).toBe('1:3 A map key must be a word');
  expect(first('a: { b: 1, "b": 2 }')).toBe('1:12 Map keys must be unique');
  expect(first(`${' '.repeat(2)}${Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}`)).toMatch(
    /^[1-9]\d*:\d+ \S/,
  );
});

test('a file has at most a thousand problems of its checks, each of 500 characters', () => {
  const unknown = problemsOf(`families:\n- intake_requirements:\n  - also_called:\n${'    - x\n'.repeat(15_000)}`);
  expect(unknown.length).toBeLessThan(3_000);
  expect(problemsOf(`a: "${'\\q'.repeat(5_000)}"`)).toHaveLength(1_000);
  const [long] = problemsOf(`${'k'.repeat(1_000)}: 1`).filter(({ message }) => message.startsWith('kk'));
  expect(long?.message).toHaveLength(500);
});

test('options times requirements are bounded: a catalog of 200 kB would have an answer of a gigabyte', () => {
  const text = documentsIn().find(({ file }) => file === 'families.yaml')?.text ?? '';
  const option = (i: number) =>
    `      - { id: o${i}, name: n, description: d, turnaround_hours: 1, auto_approval_hours: 1 }\n`;
  const requirement = (i: number) => `      - { label: Label ${i}, hint: h, example: e }\n`;
  const many = (make: (i: number) => string, count: number) =>
    Array.from({ length: count }, (_, i) => make(i)).join('');
  const larger = text
    .replace('    options:\n', `    options:\n${many(option, 1_000)}`)
    .replace('    intake_requirements:\n', `    intake_requirements:\n${many(requirement, 1_000)}`);
  expect(problemsOf(larger).map(({ message }) => message)).toEqual([
    'families[0]: with the requirements of each option the catalog has more than 8000000 characters',
  ]);
});

/** Milliseconds that this thread works; what other processes do has no part in it. */
function costOf(text: string): number {
  const before = process.threadCpuUsage();
  problemsOf(text);
  problemsOf(text, 'studio.yaml');
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Whether a text of four times the size costs about four times as much. What is quadratic costs 16 times. */
function isLinear(make: (characters: number) => string): boolean {
  const [small, large] = [make(12_500), make(50_000)];
  const tries = [1, 2, 3].values().map(() => costOf(large) / Math.max(5, costOf(small)));
  return tries.some((growth) => growth < 9);
}

test('what took the parser long costs in proportion to its size', () => {
  expect(hostileNames.filter((name) => !isLinear((characters) => hostileText(name, characters)))).toEqual([]);
});

test('drawn texts of repeated marks cost in proportion to their size', () => {
  // The seed is fixed: what another one finds is a fault of its own, not a flaky test.
  const drawn = fc.sample(drawnTexts, { numRuns: 20, seed: 40 });
  expect(drawn.filter((text) => !isLinear((characters) => textOf(text, characters)))).toEqual([]);
});
