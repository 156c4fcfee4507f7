import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyedBatch } from './keyed-batch.ts';

// On a busy machine a real clock would be ahead of what has run.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/**
 * Items are `key:text` and an answer is the item itself. Statements are recorded and block until released.
 */
function open(
  limits: Partial<{
    maxBatchSize: number;
    maxInFlight: number;
    besideFrom: number;
    maxWaiting: number;
    maxWaitMs: number;
  }> = {},
) {
  const statements: { kind: string; questions: readonly string[]; answer(locked?: string[]): void; fail(): void }[] =
    [];
  const statement = (kind: string) => (questions: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      statements.push({
        kind,
        questions,
        answer: (locked = []) =>
          resolve(questions.map((item) => (locked.includes(item.split(':')[0] ?? '') ? null : item) as string)),
        fail: () => reject(new Error('lost')),
      });
    });
  const batch = new KeyedBatch(
    (question: string) => question.split(':')[0] ?? '',
    { skipLocked: statement('ask'), waitForLock: statement('wait') },
    { maxBatchSize: 4, maxInFlight: 2, besideFrom: 1, maxWaiting: 1, maxWaitMs: 10_000, ...limits },
  );
  const ask = (question: string) => batch.enqueue(question);
  const seen = () => statements.map(({ kind, questions }) => `${kind} ${questions.join(' ')}`);
  return { ask, statements, seen };
}
const tick = async () => {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
};

test('calls of one tick share a statement, and the number of statements is bounded', async () => {
  const { ask, statements, seen } = open();
  const all = Promise.all(['a:1', 'b:1', 'c:1', 'd:1', 'e:1', 'f:1', 'g:1', 'h:1', 'i:1'].map(ask));
  await tick();
  expect(seen()).toEqual(['ask a:1 b:1 c:1 d:1', 'ask e:1 f:1 g:1 h:1']);
  statements[0]?.answer();
  await tick();
  expect(seen()[2]).toBe('ask i:1');
  statements.forEach(({ answer }) => answer());
  expect(await all).toHaveLength(9);
});

test('a few calls wait for the running statement, many start another, and no call waits long', async () => {
  const { ask, statements, seen } = open({ besideFrom: 3 });
  const all = [ask('a:1')];
  await tick();
  all.push(ask('b:1'), ask('c:1'));
  await tick();
  expect(seen()).toEqual(['ask a:1']);
  all.push(ask('d:1'));
  await tick();
  expect(seen()).toEqual(['ask a:1', 'ask b:1 c:1 d:1']);
  statements[1]?.answer();
  await tick();
  all.push(ask('e:1'));
  await tick();
  expect(seen()).toHaveLength(2);
  vi.advanceTimersByTime(60);
  await tick();
  expect(seen()[2]).toBe('ask e:1');
  statements.forEach(({ answer }) => answer());
  expect(await Promise.all(all)).toHaveLength(5);
});

test('a key is in one statement at a time; calls that arrive during it share the next one', async () => {
  const { ask, statements, seen } = open();
  const all = [ask('a:1')];
  await tick();
  all.push(ask('a:2'), ask('a:3'), ask('b:1'));
  await tick();
  expect(seen()).toEqual(['ask a:1', 'ask b:1']);
  statements[0]?.answer();
  await tick();
  expect(seen()[2]).toBe('ask a:2 a:3');
  statements.forEach(({ answer }) => answer());
  expect(await Promise.all(all)).toEqual(['a:1', 'a:2', 'a:3', 'b:1']);
});

test('a locked key waits in its own statement and delays only other locked keys', async () => {
  const { ask, statements, seen } = open();
  const all = [ask('a:1'), ask('b:1'), ask('c:1')];
  await tick();
  statements[0]?.answer(['a', 'c']);
  expect(await all[1]).toBe('b:1');
  all.push(ask('a:2'), ask('b:2'));
  await tick();
  expect(seen().slice(1)).toEqual(['wait a:1', 'ask b:2']);
  statements[1]?.answer();
  await tick();
  expect(seen().slice(3)).toEqual(['wait c:1', 'ask a:2']);
  statements.forEach(({ answer }) => answer());
  expect(await Promise.all(all)).toEqual(['a:1', 'b:1', 'c:1', 'a:2', 'b:2']);
});

test('a failed statement fails only its own calls, and the next one starts', async () => {
  const { ask, statements, seen } = open({ maxInFlight: 1 });
  const first = ask('a:1');
  await tick();
  const second = ask('a:2');
  statements[0]?.fail();
  await expect(first).rejects.toThrow('lost');
  await tick();
  expect(seen()).toEqual(['ask a:1', 'ask a:2']);
  statements[1]?.answer(['a']);
  await tick();
  statements[2]?.fail();
  await expect(second).rejects.toThrow('lost');
  const third = ask('a:3');
  await tick();
  statements[3]?.answer();
  expect(await third).toBe('a:3');
});

test('a call that waited too long is refused and never reaches the database', async () => {
  const { ask, statements, seen } = open({ maxInFlight: 1, maxWaitMs: 50 });
  const first = ask('a:1');
  await tick();
  const late = [ask('a:2'), ask('b:1')].map((item) => item.catch((error: Error & { code: string }) => error.code));
  vi.advanceTimersByTime(80);
  const inTime = ask('b:2');
  statements[0]?.answer();
  expect(await Promise.all(late)).toEqual(['service_unavailable', 'service_unavailable']);
  await tick();
  expect(seen()).toEqual(['ask a:1', 'ask b:2']);
  statements[1]?.answer();
  expect([await first, await inTime]).toEqual(['a:1', 'b:2']);
});
