import { once } from 'node:events';
import { createServer } from 'node:http';
import { postDelivery } from '../../../server/webhooks/post-delivery.ts';
import { createReceiverRules } from '../../../server/webhooks/receiver-address.ts';
import { sendPlainly } from '../broken/plain-sender.ts';
import { runCases } from '../cases.ts';
import { type Figure, type Measured } from '../figure.ts';

/** This machine, in other words. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '[::1]',
  '[::ffff:7f00:1]',
  '0',
  'localhost',
];

/** How many requests reach this machine. */
async function reach(send: (url: string) => Promise<unknown>): Promise<Measured> {
  let reached = 0;
  const canary = createServer((_, response) => {
    reached++;
    response.end();
  }).listen(0, '::');
  await once(canary, 'listening');
  const address = canary.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  for (const host of spellings) await send(`http://${host}:${port}/`);
  canary.closeAllConnections();
  canary.close();
  return {
    measured: `${reached} of ${spellings.length} requests reached a private address`,
    faults: reached > 0 ? [`${reached} requests reached a private address`] : [],
  };
}

async function run(): Promise<Measured> {
  const rules = createReceiverRules([]);
  const ours = await reach((url) => postDelivery(rules, url, {}, '{}'));
  rules.close();
  // Events while the sender is killed, with the control that loses some; addresses and rebinding.
  const tests = await runCases(['test/faults/deliveries.test.ts', 'server/webhooks/receiver-address.test.ts']);
  return {
    measured: `${ours.measured}; 10,000 events, 20 × kill -9 of the sender: ${tests.measured}`,
    faults: [...ours.faults, ...tests.faults],
  };
}

export const deliveries: Figure = {
  name: 'F8',
  title: 'webhooks while their sender is killed, and URLs that lead to private addresses',
  target: '0 events lost, one id each, signed right; 0 connections to private addresses',
  inShort: false,
  run,
  control: () => reach(sendPlainly),
};
