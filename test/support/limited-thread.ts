import { parentPort, workerData } from 'node:worker_threads';

const { how, counter } = workerData as { how: string; counter: Int32Array };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
if (how === 'answers') parentPort?.postMessage({ answer: 42 });
if (how === 'throws') throw new TypeError('planted');
while (how === 'never ends') Atomics.add(counter, 0, 1);
const eaten: object[] = [];
while (how === 'eats memory') eaten.push({ eaten: eaten.length });
