import { describe, expect, test } from 'vitest';
import { ownAddress, pathTo, plainSearch, routePath } from './address.ts';

const origin = 'https://atelier.example';

describe('ownAddress', () => {
  test.each([
    '//evil.example/phish',
    '/\t/evil.example/phish',
    '/\n/evil.example/phish',
    '/\r/evil.example/phish',
    '/\t\\evil.example/phish',
    '\\\\evil.example/phish',
    'https://evil.example/phish',
    ' //evil.example',
    'javascript:alert(1)',
    '/\\evil.example',
    'data:text/html,x',
    '/.//evil.example',
    '/x/..//evil.example',
    '/api/auth/oauth2/authorize?client_id=https://evil.example/d.json',
    '/jobs/../api/auth/oauth2/authorize?prompt=none',
    '/%61pi/v1/files/file_1/download',
    '/storage/uploads/x',
    '/jobs/',
  ])('%j is not followed', (next) => {
    expect(ownAddress(next, origin)).toBe('/');
  });

  test('an address of this site is followed, with its search', () => {
    expect(ownAddress('/jobs/new?family=design&type=logo', origin)).toBe(`${origin}/jobs/new?family=design&type=logo`);
  });

  test.each(['/', '/desk/jobs/job_1', '/connect?resume=client_id%3Dx', '/invitations/inv_1#top'])(
    'a page is followed: %s',
    (next) => expect(ownAddress(next, origin)).toBe(origin + next),
  );

  test('without an address the first page is next', () => {
    expect(ownAddress(undefined, origin)).toBe('/');
  });
});

test('a path takes its parameters encoded, and its search', () => {
  expect(pathTo('/jobs/:id', { id: 'a/b' }, { from: 'x y' })).toBe('/jobs/a%2Fb?from=x+y');
  expect(pathTo('/jobs')).toBe('/jobs');
});

test('the router spells parameters with a dollar', () => {
  expect(routePath('/jobs/:id/files/:file')).toBe('/jobs/$id/files/$file');
});

test('search parameters are texts, and empty ones are left out', () => {
  expect(plainSearch.parseSearch('?q=12&tab=')).toEqual({ q: '12', tab: '' });
  expect(plainSearch.stringifySearch({ q: 'a b', tab: '', page: undefined })).toBe('?q=a+b');
  expect(plainSearch.stringifySearch({ tab: '' })).toBe('');
});
