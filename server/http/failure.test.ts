import { expect, test } from 'vitest';
import { asRefusal } from './failure.ts';

const thrown = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const said = (error: unknown) => {
  const refusal = asRefusal(error);
  return refusal && `${refusal.status} ${refusal.code} ${refusal.headers['retry-after'] ?? ''}`.trim();
};

test.each([
  ['disk full', '53100'],
  ['out of memory', '53200'],
  ['too many connections', '53300'],
  ['connection lost', '08006'],
  ['statement ended by its time limit', '57014'],
  ['connection cut by the administrator', '57P01'],
  ['starting or recovering', '57P03'],
  ['read-only after a failover', '25006'],
  ['lock not had in time', '55P03'],
  ['lost a race', '40001'],
  ['deadlock', '40P01'],
])('503 service_unavailable with Retry-After: %s', (_what, code) => {
  expect(said(thrown(code))).toBe('503 service_unavailable 2');
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
  '503 service_unavailable with Retry-After: %s on the way to the database',
  (code) => expect(said(thrown(code, `connect ${code}`))).toBe('503 service_unavailable 2'),
);

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('503 service_unavailable with Retry-After: %s', (message) => {
  expect(said(new Error(message))).toBe('503 service_unavailable 2');
});

test('422 invalid_request: values that cannot be stored; other database errors are faults', () => {
  for (const code of ['22021', '22P05', '22003', '22008', '54001']) expect(said(thrown(code))).toMatch(/^422/);
  for (const error of [thrown('42P01'), thrown('23505'), new TypeError('x'), 'text', null])
    expect(asRefusal(error)).toBeNull();
});
