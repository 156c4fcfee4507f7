import { setTimeout as wait } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { tell } from '../../server/lib/thread.ts';

const { how, counter } = workerData as { how: string; counter: Int32Array };

if (how === 'loads long') await wait(1_500);
if (how === 'never loads') await wait(60_000);
tell({ loaded: true });
if (how === 'answers' || how === 'loads long') tell({ answer: 42 });
if (how === 'throws') throw new TypeError('planted');
while (how === 'never ends') Atomics.add(counter, 0, 1);
const eaten: object[] = [];
while (how === 'eats memory') eaten.push({ eaten: eaten.length });
