import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import pg from 'pg';
import {
  countStoredSecrets,
  reencryptStoredSecrets,
  refuseUnreadableSecrets,
} from '../../server/start/stored-secrets.ts';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';
import { addSecondFactor, signInWith } from '../support/authenticator.ts';
import { createService, type Service } from '../support/harness.ts';
import { createReceiver, verifyByReference } from '../support/receiver.ts';
import { signUp } from '../support/people.ts';
import { openFolder, removeFolder, run } from './process.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

const [A, B] = ['0123456789abcdefghijklmnopqrstuv', 'vutsrqponmlkjihgfedcba9876543210'];
const signal = new AbortController().signal;

let opened: Service[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
async function open(SECRET_KEY: string, databaseUrl?: string): Promise<Service> {
  const env = { SECRET_KEY, WEBHOOK_ALLOW: '127.0.0.1' };
  const one = await createService(env, databaseUrl === undefined ? {} : { databaseUrl });
  opened = [...opened, one];
  return one;
}
async function close(one: Service): Promise<void> {
  opened = opened.filter((other) => other !== one);
  await one.close();
}

/** The start of a process that must refuse these keys. */
async function refusal(databaseUrl: string, SECRET_KEY: string): Promise<string> {
  const folder = await openFolder();
  const { ended, said } = run({ DATABASE_URL: databaseUrl, DATA_DIR: folder, SECRET_KEY, PORT: '0' });
  expect(await ended, said()).toBe(1);
  await removeFolder(folder);
  return said();
}

test('A, then A,B, then B,A, the task, then B: deliveries, authenticators and recovery codes go on', async () => {
  const first = await open(A);
  const { databaseUrl } = first;
  const receiver = await createReceiver();
  const ada = await signUp(first);
  const body = { url: receiver.url };
  const created = await first.call('POST', '/api/v1/webhook-endpoints', { as: ada.token, body });
  const { secret, webhook_endpoint } = created.body;
  const { phone, recoveryCodes } = await addSecondFactor(first, ada);

  const atOnce = await refusal(databaseUrl, B);
  expect(atOnce).toContain('SECRET_KEY cannot decrypt 1 webhook secret and 1 second factor,');
  expect(atOnce).toContain('SECRET_KEY=new,old');
  expect(atOnce).not.toMatch(/listening|\n {4}at /);

  await open(`${A},${B}`, databaseUrl);
  const turned = await open(`${B},${A}`, databaseUrl);
  const other = new pg.Client({
    connectionString: databaseUrl,
    application_name: `atelier other ${first.context.signer.fingerprints[0]}`,
  });
  await other.connect();
  await reencryptStoredSecrets(turned.context, signal);
  expect(await countStoredSecrets(turned.context.db, [B, A])).toMatchObject([
    { first: 0, second: 1 },
    { first: 0, second: 1 },
  ]);
  await other.end();
  await vi.waitFor(
    async () => {
      await Promise.all([
        reencryptStoredSecrets(turned.context, signal),
        reencryptStoredSecrets(turned.context, signal),
      ]);
      const { db } = turned.context;
      const row = await db.selectFrom('webhook_secrets').select('ciphertext').executeTakeFirstOrThrow();
      expect(row.ciphertext.split('.')[0]).toBe(turned.context.encryption.keyIds[0]);
    },
    { timeout: 90_000 },
  );
  await close(first);
  await close(turned);

  expect(await refusal(databaseUrl, A)).toContain('SECRET_KEY cannot decrypt');
  const last = await open(B, databaseUrl);
  expect((await signInWith(last, ada, phone())).status).toBe(200);
  const again = await signInWith(last, ada, recoveryCodes[0]);
  expect(again.status).toBe(200);
  const engine = new DeliveryEngine(last.context);
  const path = `/api/v1/webhook-endpoints/${webhook_endpoint.id}/test`;
  expect((await last.call('POST', path, { as: again.body.token, body: {} })).status).toBeLessThan(300);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 90_000 });
  verifyByReference(receiver.received[0]!, secret);
  await engine.stop();
  await receiver.close();
});

test('503 and no 500 for a code that a process cannot check, since another one has a newer key', async () => {
  const newer = await open(B);
  const ada = await signUp(newer);
  const { phone, recoveryCodes } = await addSecondFactor(newer, ada);
  const older = await open(A, newer.databaseUrl);
  for (const code of [phone(), recoveryCodes[0]]) {
    const { status, body } = await signInWith(older, ada, code);
    expect([status, body.error?.code], JSON.stringify(body)).toEqual([503, 'service_unavailable']);
  }
  expect((await signInWith(newer, ada, phone())).status).toBe(200);
});

test('the key is lost: after the statements of the manual it starts, and people and endpoints go on under a new one', async () => {
  const first = await open(A);
  const { databaseUrl } = first;
  const receiver = await createReceiver();
  const ada = await signUp(first);
  const { webhook_endpoint } = (
    await first.call('POST', '/api/v1/webhook-endpoints', { as: ada.token, body: { url: receiver.url } })
  ).body;
  await addSecondFactor(first, ada);
  await close(first);
  expect(await refusal(databaseUrl, B)).toContain('SECRET_KEY cannot decrypt 1 webhook secret and 1 second factor,');

  const last = await open(B, databaseUrl);
  const { db } = last.context;
  const manual = readFileSync(new URL('../../docs/operations/run.md', import.meta.url), 'utf8');
  const [, statements = ''] = /```sql\nbegin;\n([^`]+)commit;\n```/.exec(manual) ?? [];
  await sql.raw(statements).execute(db);
  await refuseUnreadableSecrets(db, [B]);
  const { status, body } = await signInWith(last, ada);
  expect(status, JSON.stringify(body)).toBe(200);
  const path = `/api/v1/webhook-endpoints/${webhook_endpoint.id}`;
  const { secret } = (await last.call('POST', `${path}/rotate-secret`, { as: body.token, body: {} })).body;
  expect((await last.call('PATCH', path, { as: body.token, body: { enabled: true } })).status).toBe(200);
  const engine = new DeliveryEngine(last.context);
  await last.call('POST', `${path}/test`, { as: body.token, body: {} });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 90_000 });
  verifyByReference(receiver.received[0]!, secret);
  await engine.stop();
  await receiver.close();
});
