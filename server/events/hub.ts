import { sql } from 'kysely';
import { type Db, listenToCommits } from '../db/pool.ts';
import type { Loops } from '../lib/loops.ts';
import { type Notifications, openNotifications } from './notifications.ts';

/** Milliseconds between polls of the watched accounts. Polling backs up the notifications. */
const lookEvery = 2_000;
const lookEveryUnheard = 250;

/** Waits for new events of one account, or of any, until a signal ends it. */
export type Watch = {
  next(): Promise<void>;
  /** For watches of any account. Null means all. */
  accounts(): string[] | null;
};

/** Woken when there may be new events. A watcher of any account gets the account ids; null means all. */
export type Watcher = { wake(accountIds: Iterable<string> | null): void };
/** `latest`: the last event and the unlogged changes that a poll found; null before the first poll. */
type Watched = { watchers: Set<Watcher>; latest: string | null };

export type Hub = {
  add(accountId: string | null, watcher: Watcher): void;
  remove(accountId: string | null, watcher: Watcher): void;
  watch(accountId: string | null, ended: AbortSignal): Watch;
  /** Whether notifications of other processes arrive. */
  isHeard(): boolean;
  close(): Promise<void>;
};

type Log = { warn(fields: object, message: string): void };

/**
 * Wakes watchers of events: at once after a commit of this process, by notification after one of another
 * process, and by polling if a notification is lost. It carries no events: each watcher reads the log from
 * its own cursor.
 */
export function createHub(db: Db, databaseUrl: string, log: Log, loops: Loops): Hub {
  const watchers = new Watchers();
  const wake = (accountIds: Iterable<string> | null) => watchers.wake(accountIds);
  const notifications = openNotifications(db, databaseUrl, wake, log, loops);
  listenToCommits(db, (accountIds) => {
    wake(accountIds);
    notifications.send(accountIds);
  });
  const stopLooking = lookNowAndThen(db, watchers, notifications, log, loops);
  return {
    add: (accountId, watcher) => watchers.add(accountId, watcher),
    remove: (accountId, watcher) => watchers.remove(accountId, watcher),
    watch: (accountId, ended) => createWatch(watchers, accountId, ended),
    isHeard: () => notifications.areHeard(),
    async close() {
      stopLooking();
      await notifications.close();
    },
  };
}

class Watchers {
  readonly #accounts = new Map<string, Watched>();
  readonly #ofAny = new Set<Watcher>();

  add(accountId: string | null, watcher: Watcher): void {
    if (accountId === null) return void this.#ofAny.add(watcher);
    const watched = this.#accounts.get(accountId) ?? { watchers: new Set(), latest: null };
    this.#accounts.set(accountId, watched);
    watched.watchers.add(watcher);
  }

  remove(accountId: string | null, watcher: Watcher): void {
    if (accountId === null) return void this.#ofAny.delete(watcher);
    const watchers = this.#accounts.get(accountId)?.watchers;
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#accounts.delete(accountId);
  }

  wake(accountIds: Iterable<string> | null): void {
    for (const accountId of accountIds ?? this.#accounts.keys())
      this.#accounts.get(accountId)?.watchers.forEach((watcher) => watcher.wake(null));
    for (const watcher of this.#ofAny) watcher.wake(accountIds);
  }

  /** Wakes watchers of accounts whose last event has changed. */
  async look(db: Db): Promise<void> {
    const accounts = [...this.#accounts].map(([id, { latest }]) => ({ id, latest }));
    const changed = accounts.length === 0 ? [] : await changedSince(db, accounts);
    for (const { account_id, latest } of changed) {
      const watched = this.#accounts.get(account_id);
      if (watched) watched.latest = latest;
      watched?.watchers.forEach((watcher) => watcher.wake(null));
    }
    for (const watcher of this.#ofAny) watcher.wake(null);
  }
}

function lookNowAndThen(db: Db, watchers: Watchers, notifications: Notifications, log: Log, loops: Loops): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const lookIn = (milliseconds: number) => {
    timer = setTimeout(() => void lookAndAgain(), milliseconds).unref();
  };
  const lookAndAgain = async () => {
    let pause = lookEvery;
    try {
      await watchers.look(db);
      await notifications.probe();
      loops.succeeded('events');
      if (!notifications.areHeard()) pause = lookEveryUnheard;
    } catch (error) {
      log.warn({ err: error }, 'could not look for new events');
    }
    if (!stopped) lookIn(pause);
  };
  loops.succeeded('events');
  lookIn(lookEvery);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function createWatch(watchers: Watchers, accountId: string | null, ended: AbortSignal): Watch {
  let awake = false;
  let resolve = () => {};
  let accounts: Set<string> | null = new Set();
  const watcher: Watcher = {
    wake(accountIds) {
      if (accountIds === null) accounts = null;
      else for (const id of accountIds) accounts?.add(id);
      awake = true;
      resolve();
    },
  };
  watchers.add(accountId, watcher);
  const stop = () => {
    watchers.remove(accountId, watcher);
    watcher.wake([]);
  };
  if (ended.aborted) stop();
  else ended.addEventListener('abort', stop, { once: true });
  return {
    async next() {
      if (!awake) await new Promise<void>((woken) => (resolve = woken));
      awake = false;
    },
    accounts() {
      const changed = accounts && [...accounts];
      accounts = new Set();
      return changed;
    },
  };
}

async function changedSince(db: Db, accounts: readonly { id: string; latest: string | null }[]) {
  const { rows } = await sql<{ account_id: string; latest: string }>`
    select c.account_id, c.last_event || ' ' || coalesce(u.comments, 0) || ' ' || coalesce(u.messages, 0) as latest
    from unnest(${accounts.map(({ id }) => id)}::uuid[], ${accounts.map(({ latest }) => latest)}::text[]) as w (account_id, latest)
    join account_counters c on c.account_id = w.account_id
    left join unlogged_changes u on u.account_id = w.account_id
    where c.last_event || ' ' || coalesce(u.comments, 0) || ' ' || coalesce(u.messages, 0) is distinct from w.latest`.execute(
    db,
  );
  return rows;
}
