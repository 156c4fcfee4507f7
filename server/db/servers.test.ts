import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { asRefusal } from '../http/failure.ts';
import { createPool } from './pool.ts';
import { databaseUrlProblem, Servers } from './servers.ts';

test.each([
  ['postgres://localhost/atelier', ['postgres://localhost/atelier']],
  [
    'postgres://u:p%40,%2F@one:5432,two/db?sslmode=disable',
    ['postgres://u:p%40,%2F@one:5432/db?sslmode=disable', 'postgres://u:p%40,%2F@two/db?sslmode=disable'],
  ],
  ['postgresql://u@[::1]:1,[2001:db8::1]/db', ['postgresql://u@[::1]:1/db', 'postgresql://u@[2001:db8::1]/db']],
  [
    'postgres://u@one,two/db?target_session_attrs=read-write',
    ['postgres://u@one/db?target_session_attrs=read-write', 'postgres://u@two/db?target_session_attrs=read-write'],
  ],
  ['postgres:///atelier?host=%2Ftmp', ['postgres:///atelier?host=%2Ftmp']],
])('%s names its servers', (url, urls) => {
  expect([databaseUrlProblem(url), new Servers(url).urls]).toEqual([null, urls]);
});

test.each([
  ['mysql://localhost/atelier', 'must be a URL such as'],
  ['postgres://u:p/w@one/db', 'percent-encoded'],
  ['postgres://u:50%@one/db', 'has a % in its user or password'],
  ['postgres://one,/db', 'must name each host'],
  ['postgres://one,,two/db', 'must name each host'],
  ['postgres://one:5432,two:/db', 'must name each host'],
  ['postgres://one:5432,two:65536/db', 'must be a URL such as'],
  ['postgres://::1,two/db', 'must be a URL such as'],
  ['postgres://one, two/db', 'must be a URL such as'],
  ['postgres:///db?host=one,two', 'must name several hosts before the database'],
  ['postgres://one,two/db?host=three', 'either before the database or as parameters'],
  ['postgres://one,two/db?target_session_attrs=standby', 'target_session_attrs=read-write'],
])('%s is refused, and not repeated', (url, words) => {
  const problem = databaseUrlProblem(url);
  expect(problem).toContain(words);
  expect(problem).not.toContain('p/w');
});

test('a server that is closed or silent is passed over within the time to connect, and remembered', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  const closed = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(silent, 'listening'), once(closed, 'listening')]);
  const portOf = (server: typeof silent) => (server.address() as { port: number }).port;
  const gone = portOf(closed);
  closed.close();
  const url = `postgres://u@127.0.0.1:${gone},127.0.0.1:${portOf(silent)}/db?sslmode=disable`;
  const pool = createPool(url, 4, () => {});
  const began = performance.now();
  const error = await pool.query('select 1').catch((failure: unknown) => failure);
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((error as Error).message).toContain('no server accepts writes (127.0.0.1:');
  expect((error as Error).message).toContain('ECONNREFUSED');
  expect(asRefusal(error)).toMatchObject({ status: 503 });
  await pool.end();
  silent.close();
});
