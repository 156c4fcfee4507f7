import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { doWork, isRefused } from '../http/work.ts';
import { announce, listenToCommits, transact } from './pool.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

test('what a commit wakes goes on when the request that committed is refused later', async () => {
  const { db } = service.context;
  const woken = Promise.withResolvers<boolean>();
  listenToCommits(db, () => void wait(20).then(() => woken.resolve(isRefused())), 'mail');
  const work = { refused: false, takesEffect: false };
  await doWork(work, () => transact(db, async (trx) => announce(trx, 'mail', 'mail')));
  work.refused = true;
  expect(await woken.promise).toBe(false);
});
