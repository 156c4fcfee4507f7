import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseTime } from '../../server/db/pool.ts';
import { end } from '../faults/faulty-service.ts';
import { freePort, openFolder, removeFolder, run } from '../faults/process.ts';
import { environment, createService, type Service } from '../support/harness.ts';

/** What the start shows must be so. */

vi.setConfig({ testTimeout: 300_000 });

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await createService();
  folder = await openFolder();
});
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});

/** What a process on the database of `service` says of the operator at its start. */
async function operatorShown(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const PORT = String(await freePort());
  const starting = run({ DATABASE_URL: service.databaseUrl, DATA_DIR: `${folder}/${dataDir}`, PORT, ...env });
  const line = () => /^ {2}Desk +\S+\/desk +(\S.*)$/m.exec(starting.said())?.[1];
  await vi.waitFor(() => expect(line(), starting.said()).toBeDefined(), { timeout: 60_000 });
  await wait(50);
  await end(starting, 'SIGTERM');
  return line() ?? '';
}

test('the password that is shown is the one that works, else it is said to be as it was', async () => {
  const first = await operatorShown('one');
  const [email = '', password = ''] = first.split(/ +/);
  const signIn = { body: { email, password } };
  expect((await service.call('POST', '/api/auth/sign-in/email', signIn)).status).toBe(200);
  expect(await operatorShown('one')).toBe(first);

  const asBefore = `${email}   (its earlier password)`;
  expect(await operatorShown('two')).toBe(asBefore);
  const given = (OPERATOR_PASSWORD: string) => ({ OPERATOR_EMAIL: email, OPERATOR_PASSWORD });
  const notTheirs = await operatorShown('three', given('a brand new password'));
  expect(notTheirs).toBe(`${email}   (an earlier password, not OPERATOR_PASSWORD)`);
  expect(await operatorShown('three', given(password))).toBe(`${email}   (OPERATOR_PASSWORD)`);
  expect((await service.call('POST', '/api/auth/sign-in/email', signIn)).status).toBe(200);
});

test('the screen comes last, names an address that works, and says what to change how', async () => {
  const PORT = String(await freePort());
  const own = `${folder}/screen`;
  const starting = run({ DATABASE_URL: service.databaseUrl, DATA_DIR: own, PORT, HOST: '0.0.0.0', LOG_LEVEL: 'warn' });
  await vi.waitFor(() => expect(starting.said()).toContain('LOG_LEVEL=info npm start\n'), { timeout: 60_000 });
  const [before = '', screen = ''] = starting.said().split('\nAtelier is listening at ');
  expect(before).not.toContain('listening');
  const url = `http://localhost:${PORT}`;
  expect(screen).toMatch(new RegExp(`^${url}\n`));
  expect(screen).toContain(`  Passwords       operator-password in ${own}\n`);
  expect(screen).toContain(`  Another port    PORT=${Number(PORT) + 1} npm start\n`);
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  const elsewhere = outer && `also set PUBLIC_URL=http://${outer.address}:${PORT}`;
  expect(/^ {2}Other machines +(.*)$/m.exec(screen)?.[1]).toBe(elsewhere);
  // A page that is opened does not push the screen away.
  expect((await fetch(`${url}/docs/`, { headers: { accept: 'text/html' } })).status).toBe(200);
  await wait(300);
  expect(starting.said().endsWith(screen)).toBe(true);
  await end(starting, 'SIGTERM');
});

test('the screen names another process on the database, and a different SECRET_KEY there', async () => {
  const warnings = async (SECRET_KEY: string) => {
    const PORT = String(await freePort());
    const env = { DATABASE_URL: service.databaseUrl, DATA_DIR: `${folder}/four`, PORT, LOG_LEVEL: 'warn', SECRET_KEY };
    const starting = run(env);
    await vi.waitFor(() => expect(starting.said()).toContain('listening'), { timeout: 60_000 });
    await end(starting, 'SIGTERM');
    return starting.said();
  };
  // The neighbour has a connection meanwhile.
  await service.context.db.connection().execute(async (connection) => {
    await databaseTime(connection);
    const same = await warnings(environment.SECRET_KEY);
    expect(same).toContain('without REDIS_URL each process counts rates for itself');
    expect(same).not.toContain('SECRET_KEY');
    expect(await warnings('t'.repeat(32))).toContain('serves this database with another SECRET_KEY');
    expect(await warnings(`${'t'.repeat(32)},${environment.SECRET_KEY}`)).not.toContain('SECRET_KEY');
  });
});
