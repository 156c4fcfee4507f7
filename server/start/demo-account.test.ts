import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { verifyPrices } from '../billing/verify-prices.ts';
import { demoKey } from './demo-account.ts';

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await sharedService();
  await verifyPrices(service.context);
  folder = await mkdtemp(join(tmpdir(), 'atelier-demo-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** The service behind something that refuses the first `refusals` of each request with 503, as a slow start does. */
async function openBusy(refusals: number) {
  const refused: string[] = [];
  const server = createServer((asked, response) => {
    const { method = '', url = '', headers } = asked;
    const name = `${method} ${url}`;
    if (refused.filter((one) => one === name).length < refusals) {
      refused.push(name);
      return void response.writeHead(503, { 'retry-after': '0' }).end();
    }
    const passed = request(service.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, refused };
}

test('a demo account whose requests are refused with 503 at first asks again, and has a key that works', async () => {
  const { url, refused } = await openBusy(2);
  const key = await demoKey(url, folder);
  expect(refused.filter((name) => name === 'POST /api/auth/sign-up/email')).toHaveLength(2);
  const verifying = service.emails.filter(
    ({ to, subject }) => to === 'demo@atelier.localhost' && /verif/i.test(subject),
  );
  expect(verifying).toHaveLength(1);
  const me = await service.call('GET', '/api/v1/me', { as: key });
  expect([me.status, me.body.entitlement_summary.api_access]).toEqual([200, true]);
});

test('if the service refuses for longer, the start screen says that the demo account could not be made', async () => {
  const { url } = await openBusy(5);
  await expect(demoKey(url, folder)).rejects.toThrow('The demo account could not sign up; see the log.');
});
