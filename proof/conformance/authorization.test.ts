import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../test/faults/process.ts';
import { serveDocuments } from '../../test/support/app-documents.ts';
import { createService, type Service } from '../../test/support/harness.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { runPackage } from './package.ts';

/**
 * Both scenarios that the package has for authorization servers, against the service at its own public address. Its
 * others about authorization, `auth/…`, try clients.
 */

let service: Service;
let ada: TestPerson;
let documents: Awaited<ReturnType<typeof serveDocuments>>;
let front: Server;
let origin: string;

beforeAll(async () => {
  front = createServer((asked, answer) => {
    const sent = request(service.url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  service = await createService({ PUBLIC_URL: origin, WEBHOOK_ALLOW: '127.0.0.1' });
  ada = await signUp(service);
  documents = await serveDocuments();
});
afterAll(async () => {
  documents.close();
  front.close();
  await service.close();
});

/** The person opens what the package prints, allows, and is sent to the package. */
async function allow(address: string): Promise<void> {
  const headers = { authorization: `Bearer ${ada.token}` };
  const redirect = await fetch(address, { redirect: 'manual', headers });
  const query = new URL(redirect.headers.get('location') ?? '', origin).searchParams.get('request') ?? '';
  const { accounts } = (await service.call('GET', `/api/auth/connection?request=${query}`, { as: ada })).body;
  const body = { request: query, allow: true, account_id: accounts[0].id };
  const decision = await service.call('POST', '/api/auth/connection/decide', { as: ada, body });
  await fetch(decision.body.redirect_to);
}

test('both scenarios pass, and each check of them, without a warning', async () => {
  let printed = '';
  const args = ['authorization', '--url', `${origin}/api/auth`, '--resource', `${origin}/mcp`];
  const client = ['--client-id', documents.at('painter.json'), '--port', String(await freePort())];
  const results = await runPackage([...args, ...client], (text) => {
    printed += text;
    const [address] = /http\S+oauth2\/authorize\S+(?=\n)/.exec(printed) ?? [];
    if (address === undefined) return;
    printed = '';
    void allow(address);
  });
  const checks = [...results].flatMap(([scenario, made]) =>
    made.map(({ id, status, errorMessage }) => [scenario, id, status, errorMessage].filter(Boolean).join(' ')),
  );
  expect(checks.toSorted()).toEqual([
    'authorization-code-grant authorization-code-grant SUCCESS',
    'authorization-server-metadata-endpoint authorization-server-metadata SUCCESS',
    'authorization-server-metadata-endpoint authorization-server-metadata-cimd SUCCESS',
  ]);
}, 120_000);
