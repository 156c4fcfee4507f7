import { describe, expect, test } from 'vitest';
import { compareRelease, readRelease, type Release } from './release.ts';

const release: Release = {
  version: '0.4.0',
  released_at: '2027-02-01',
  upgrade_from: '0.3.0',
  node: 24,
  postgres: { oldest: 15, newest: 18 },
  migrations: ['0001_a', '0002_b', '0003_c', '0004_d'],
  what_to_do: ['Run doctor.'],
};
const here = { version: '0.3.0', node: '24.21.0', postgres: '18.4', newest_migration: '0002_b' };
const say = (of: Partial<Release> = {}, at: Partial<typeof here> = {}) =>
  compareRelease({ ...release, ...of }, { ...here, ...at }).map(({ status, sentence }) => `${status}: ${sentence}`);

test('a file of a release is read', () => {
  expect(readRelease(JSON.stringify({ format: 1, ...release }))).toMatchObject(release);
});

test.each([
  ['no JSON', 'v0.4.0', /not JSON/],
  ['nothing', 'null', /not that of a release/],
  ['another document', '{"openapi":"3.1.0"}', /not that of a release/],
  ['a list', '[1]', /not that of a release/],
  ['a part of one', JSON.stringify({ format: 1, ...release, postgres: null }), /not that of a release/],
  ['texts that are none', JSON.stringify({ format: 1, ...release, what_to_do: [{}] }), /not that of a release/],
  ['a later format', JSON.stringify({ format: 2, ...release }), /a later format/],
])('refused: %s', (_, text, words) => {
  expect(readRelease(text)).toMatch(words);
});

test('a newer version that fits', () => {
  expect(say()).toEqual([
    'ok: 0.3.0 may go to 0.4.0 directly.',
    'ok: It adds 2 migrations.',
    'ok: It runs on Node 24, as here.',
    'ok: It is made for Postgres 15 to 18, and 18.4 runs here.',
  ]);
  expect(say({}, { newest_migration: '0003_c' })[1]).toBe('ok: It adds 1 migration.');
});

describe('what does not fit', () => {
  test.each([
    [
      'a version that must come first',
      say({}, { version: '0.2.11' })[0],
      'fail: Go to 0.3.0 first: 0.2.11 cannot go to 0.4.0 directly.',
    ],
    [
      'another database',
      say({}, { newest_migration: '0009_x' })[1],
      'fail: It does not know 0009_x, which this database has.',
    ],
    ['another Node', say({ node: 26 })[2], 'warn: It needs Node 26, and 24.21.0 runs here. Its image brings its own.'],
    [
      'an old Postgres',
      say({}, { postgres: '14.9' })[3],
      'fail: It is made for Postgres 15 to 18, and 14.9 runs here: upgrade Postgres first.',
    ],
    [
      'a new Postgres',
      say({}, { postgres: '19.0' })[3],
      'warn: It is made for Postgres 15 to 18, and 19.0 runs here: nobody has tried that.',
    ],
  ])('%s', (_, line, words) => expect(line).toBe(words));

  test('the same version, and an older one, by their numbers', () => {
    expect(say({ version: '0.3.0' })).toEqual(['ok: 0.3.0 is the version that runs here.']);
    expect(say({ version: '0.9.0' }, { version: '0.10.0' })).toEqual([
      'fail: 0.9.0 is older than 0.10.0, which runs here. There is no way back.',
    ]);
  });
});
