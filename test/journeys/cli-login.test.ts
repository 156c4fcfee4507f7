import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../client/cli/run.ts';
import { start } from '../support/command-line.ts';
import { createService, type Service } from '../support/harness.ts';
import { signUp, type TestPerson } from '../support/people.ts';
import { showId } from '../../server/lib/id.ts';

let service: Service;
let ada: TestPerson;
let home: string;
beforeAll(async () => {
  service = await createService();
  ada = await signUp(service);
  home = await mkdtemp(join(tmpdir(), 'atelier-login-'));
});
afterAll(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const profiles = () => join(home, 'atelier', 'profiles.json');

/** Runs `atelier`; `see` gets what it says so far. */
async function atelier(args: string[], see: (said: string) => void = () => {}) {
  const { stdin, stdout, stderr, ended } = start(run, args, { env: { XDG_CONFIG_HOME: home } });
  stdin.end();
  stdout.resume();
  let messages = '';
  stderr.on('data', (part) => see((messages += part)));
  return { code: await ended, messages };
}

test('atelier login without a key: a person allows the code, the key is refreshed once by many, logout ends it', async () => {
  const allowed: Promise<unknown>[] = [];
  const allow = async (code: string) => {
    const { body } = await service.call('GET', `/api/auth/device?code=${code}`, { as: ada });
    const choice = { allow: true, account_id: showId('acct', ada.accountId), scopes: body.scopes };
    await service.call('POST', '/api/auth/connection/decide', { as: ada, body: { request: body.request, ...choice } });
  };
  const login = await atelier(['login', '--browser', '--url', service.url], (said) => {
    const [, first, second] = /the code: ([A-Z]{4})-([A-Z]{4})$/m.exec(said) ?? [];
    if (first && allowed.length === 0) allowed.push(allow(`${first}${second}`));
  });
  await Promise.all(allowed);
  expect(login).toMatchObject({ code: 0, messages: expect.stringContaining('Logged in to') });

  const saved = JSON.parse(await readFile(profiles(), 'utf8'));
  expect(saved.default).toMatchObject({ url: service.url, refresh: expect.stringMatching(/^atf_/) });
  await writeFile(profiles(), JSON.stringify({ default: { ...saved.default, expires: 0 } }));
  const runs = await Promise.all([atelier(['whoami']), atelier(['whoami']), atelier(['whoami'])]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  const apps = async () => (await service.call('GET', '/api/auth/connected-apps', { as: ada })).body.connected_apps;
  expect(await apps()).toMatchObject([{ app: { name: 'Atelier CLI' }, status: 'active' }]);

  expect((await atelier(['logout'])).code).toBe(0);
  expect(await apps()).toMatchObject([{ status: 'revoked' }]);
});
