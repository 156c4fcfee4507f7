import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { retrySoon } from './failure.ts';
import { Refusal } from './refusal.ts';

/** The work of one request. Either it is refused at its deadline, or it takes effect; never both. */
export type Work = {
  /** The caller has its 503: no statement begins any more, and no transaction commits. */
  refused: boolean;
  /** Something of it is committed, or may be at any moment: the caller gets the answer of the work itself. */
  takesEffect: boolean;
};

const current = new AsyncLocalStorage<Work | undefined>();

export const doWork = <Answer>(work: Work, run: () => Answer): Answer => current.run(work, run);

/** For statements that serve several requests: none of these decides for the others. */
export const doSharedWork = <Answer>(run: () => Answer): Answer => current.run(undefined, run);

/** Whether the request that this is done for was refused at its deadline. */
export const isRefused = (): boolean => current.getStore()?.refused === true;

const late = () => new Refusal('service_unavailable', retrySoon);

/** Before a step that costs much: nobody waits for what a refused request would still do. */
export function refuseLateWork(): void {
  if (isRefused()) throw late();
}

/** Before work goes into a statement with that of others: from here on it cannot be refused. */
export function beginToTakeEffect(): void {
  const work = current.getStore();
  refuseLateWork();
  if (work) work.takesEffect = true;
}

/** Connections on which a transaction is open. */
const inTransaction = new WeakSet<pg.Client>();

const writes = /^(?:insert|update|delete|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i;

/** Before a statement is sent: why it must not be, or null. A commit, or a write outside a transaction, takes effect. */
export function refuseWork(client: pg.Client, text: string): Refusal | null {
  const work = current.getStore();
  if (work?.refused && text !== 'rollback') return late();
  const isOpen = inTransaction.has(client);
  if (text === 'begin' || text.startsWith('start transaction')) inTransaction.add(client);
  if (text === 'commit' || text === 'rollback') inTransaction.delete(client);
  if (work && (text === 'commit' || (!isOpen && writes.test(text.trimStart())))) work.takesEffect = true;
  return null;
}
