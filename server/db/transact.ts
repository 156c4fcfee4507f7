import type { Db, Trx } from './pool.ts';

/** What transactions that still run have announced; and who hears of it once they are committed, by connection pool. */
const announced = new WeakMap<Db | Trx, Set<string>>();
const listeners = new WeakMap<Db, (topics: Iterable<string>) => void>();

/** Lets `listener` hear what transactions on this pool announced, after each commit. It must not throw. */
export const listenToCommits = (db: Db, listener: (topics: Iterable<string>) => void) => listeners.set(db, listener);

/** Announces a change. In a transaction it is heard after the commit, and not at all after a rollback. */
export function announce(db: Db | Trx, topic: string): void {
  const topics = announced.get(db);
  if (topics) topics.add(topic);
  else if (db.isTransaction) throw new Error('A transaction that announces is begun by transact.');
  else listeners.get(db)?.([topic]);
}

/** Runs a transaction; what it announces is heard once it is committed. */
export async function transact<Answer>(db: Db, run: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  const topics = new Set<string>();
  const answer = await db.transaction().execute((trx) => {
    announced.set(trx, topics);
    return run(trx);
  });
  if (topics.size > 0) listeners.get(db)?.(topics);
  return answer;
}
