import { doSharedWork } from '../http/work.ts';
import type { Db, Trx } from './pool.ts';

type Channel = 'events' | 'mail';
type Topics = Record<Channel, Set<string>>;
type Listener = (topics: Iterable<string>) => void;

const announced = new WeakMap<Db | Trx, Topics>();
const listeners: Record<Channel, WeakMap<Db, Listener>> = { events: new WeakMap(), mail: new WeakMap() };

export const listenToCommits = (db: Db, listener: Listener, channel: Channel = 'events') =>
  listeners[channel].set(db, listener);

/** Announces a change. In a transaction the listener hears it after the commit, or never after a rollback. */
export function announce(db: Db | Trx, topic: string, channel: Channel = 'events'): void {
  const topics = announced.get(db);
  if (topics) topics[channel].add(topic);
  else if (db.isTransaction) throw new Error('A transaction that announces is begun by transact.');
  else tell(db, channel, [topic]);
}

export async function transact<Answer>(db: Db, run: (trx: Trx) => Promise<Answer>): Promise<Answer> {
  const topics: Topics = { events: new Set(), mail: new Set() };
  const answer = await db.transaction().execute((trx) => {
    announced.set(trx, topics);
    return run(trx);
  });
  for (const channel of ['events', 'mail'] as const) if (topics[channel].size > 0) tell(db, channel, topics[channel]);
  return answer;
}

/** What a listener starts is not part of the request: it continues even if the request is refused. */
const tell = (db: Db | Trx, channel: Channel, topics: Iterable<string>) =>
  doSharedWork(() => listeners[channel].get(db)?.(topics));
