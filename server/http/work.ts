import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { retrySoon } from './failure.ts';
import { apart } from '../lib/trace.ts';
import { Refusal } from './refusal.ts';

/** The work of one request. It is either refused at its deadline or takes effect, never both. */
export type Work = {
  /** The caller got a 503: no further statement starts and no transaction commits. */
  refused: boolean;
  /** Something is committed, or may be at any moment: the caller gets the outcome of the work. */
  takesEffect: boolean;
};

const current = new AsyncLocalStorage<Work | undefined>();

export const doWork = <Answer>(work: Work, run: () => Answer): Answer => current.run(work, run);

/** For statements that serve several requests: no single request decides about them. */
export const doSharedWork = <Answer>(run: () => Answer): Answer => apart(() => current.run(undefined, run));

/** Whether the current request was refused at its deadline. */
export const isRefused = (): boolean => current.getStore()?.refused === true;

const late = () => new Refusal('service_unavailable', retrySoon);

/** Called before an expensive step: nobody waits for the work of a refused request. */
export function refuseLateWork(): void {
  if (isRefused()) throw late();
}

/** Called before work joins a statement shared with other requests: from here on it cannot be refused. */
export function beginToTakeEffect(): void {
  const work = current.getStore();
  refuseLateWork();
  if (work) work.takesEffect = true;
}

/** Connections with an open transaction. */
const inTransaction = new WeakSet<pg.Client>();

const writes = /^(?:insert|update|delete|with\b[^]*\b(?:insert\s+into|update|delete\s+from)\b)/i;

/** Why a statement must not be sent, or null. A commit, or a write outside a transaction, takes effect. */
export function refuseWork(client: pg.Client, text: string): Refusal | null {
  const work = current.getStore();
  if (work?.refused && text !== 'rollback') return late();
  const isOpen = inTransaction.has(client);
  if (text === 'begin' || text.startsWith('start transaction')) inTransaction.add(client);
  if (text === 'commit' || text === 'rollback') inTransaction.delete(client);
  if (work && (text === 'commit' || (!isOpen && writes.test(text.trimStart())))) work.takesEffect = true;
  return null;
}
