import dns from 'node:dns';
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { postDelivery } from './post-delivery.ts';
import { createReceiverRules, type ReceiverRules } from './receiver-address.ts';

/** Addresses that are not public, in every spelling that a URL allows. */
const ipv4 = `
  127.0.0.1 127.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0.0.0.0 0 0.1.2.3
  10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 169.254.170.2 169.254.0.1
  2852039166 0xa9fea9fe 100.64.0.1 100.127.255.255 100.100.100.200 192.0.0.1 192.0.0.192 192.0.2.1 198.51.100.1
  203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1
  239.255.255.250 240.0.0.1 255.255.255.255 127.0.0.1. ①②⑦.0.0.1`
  .trim()
  .split(/\s+/);
const ipv6 = `
  :: ::1 0:0:0:0:0:0:0:1 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:169.254.169.254
  ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 fe80::1 febf::1 fec0::1 fc00::1
  fd00:ec2::254 fdff::1 ff02::1 ff0e::1 100::1 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2001::1 2001:10::1
  2001:20::1 3fff::1 5f00::1 4000::1 8000::1`
  .trim()
  .split(/\s+/);
const names = ['localhost', 'LOCALHOST.', 'a.localhost'];
const urls = [...ipv4, ...names, ...ipv6.map((address) => `[${address}]`)].map((host) => `https://${host}/`);

/** Counts every connection to this machine. */
let connections = 0;
let port = 0;
const canary = createServer((socket) => {
  connections++;
  socket.destroy();
});
const rules = createReceiverRules([]);
beforeAll(async () => {
  await once(canary.listen(0, '::'), 'listening');
  const address = canary.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => {
  rules.close();
  canary.close();
});

/** Connects to the canary's port through the agent and lookup of deliveries, or directly. */
async function connect(url: string, by: ReceiverRules | null = rules): Promise<void> {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const sent = request({ host, port, timeout: 300, ...by?.connection(new URL(url)) });
  sent.on('timeout', () => sent.destroy());
  await new Promise((resolve) =>
    sent
      .on('error', () => {})
      .on('close', resolve)
      .end(),
  );
}

test(`${urls.length} URLs: each is refused, and none is connected to, whatever else lets it through`, async () => {
  expect(urls.length).toBeGreaterThanOrEqual(70);
  for (const url of urls) {
    expect(rules.fault(url), url).toBe('is not at a public address');
    expect(await postDelivery(rules, url, {}, '{}'), url).toMatchObject({ status: null, error: expect.any(String) });
    await connect(url);
  }
  expect(connections).toBe(0);
  // Without the filter some of them reach this machine.
  for (const host of ['127.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) await connect(`https://${host}/`, null);
  expect(connections).toBe(4);
});

/** The answers of a name server in order, and how often it was asked. */
function answerNames(...answers: string[][]) {
  let asked = 0;
  const lookup = (_host: string, _options: object, done: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
  onTestFinished(() => spy.mockRestore());
  return () => asked;
}

const rebinding = 'https://rebinding.example.com/';

test.each([[['127.0.0.1']], [['::1']], [['2606:2800:21f::1', '::1']], [['::7f00:1']], [['169.254.169.254']]])(
  'a name that leads to %j: 0 connections',
  async (addresses) => {
    connections = 0;
    answerNames(addresses);
    expect(rules.fault(rebinding)).toBeNull(); // no lookup: names are judged at each connection
    await connect(rebinding);
    expect(await postDelivery(rules, rebinding, {}, '{}')).toMatchObject({
      error: 'The host is not at a public address.',
    });
    expect(connections).toBe(0);
  },
);

test.each([
  [['2606:2800:21f::1', '::1']],
  [['10.0.0.1', '1.1.1.1']],
  [['1.1.1.1', '2606:2800:21f::1', '169.254.169.254']],
])('a name with one address that is not public among %j is not resolved at all', async (addresses) => {
  answerNames(addresses);
  const { lookup } = rules.connection(new URL(rebinding));
  const error = await new Promise((resolve) => lookup('rebinding.example.com', { all: true }, resolve));
  expect(error).toEqual(new Error('is not at a public address'));
});

test('an unknown name gets the same message as a private one', async () => {
  expect(await postDelivery(rules, 'https://unknown.invalid/', {}, '{}')).toMatchObject({
    error: 'The host is not at a public address.',
  });
});

test('a name that leads elsewhere at the second look: what was checked is what is connected to', async () => {
  connections = 0;
  const some = createReceiverRules(['127.0.0.2']);
  const asked = answerNames(['127.0.0.2'], ['127.0.0.1']);
  await connect(rebinding, some);
  expect([asked(), connections]).toEqual([1, 1]);
  for (let n = 0; n < 5; n++) await connect(rebinding, some);
  expect([asked(), connections]).toEqual([6, 1]);
  some.close();
});
