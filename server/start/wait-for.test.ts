import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deadlines } from '../lib/deadlines.ts';
import { waitFor } from './wait-for.ts';

const own = { ...deadlines.start };
beforeAll(() => void Object.assign(deadlines.start, { say: 100, end: 1_000 }));
afterAll(() => void Object.assign(deadlines.start, own));

test('a start says what it waits for, and each progress restarts the time', async () => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const part = async (progress: () => void) => {
    for (let n = 0; n < 8; n++) {
      await sleep(200);
      progress();
    }
    return 'ready';
  };
  expect(await waitFor('Postgres', part)).toBe('ready');
  expect(said.mock.calls).toEqual([['Atelier waits for Postgres.\n']]);
  await expect(waitFor('Postgres', () => sleep(60_000, undefined, { ref: false }))).rejects.toThrow(
    'It waited 1 s for Postgres.',
  );
});
