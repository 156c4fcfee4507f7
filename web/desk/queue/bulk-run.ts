import { useMutation } from '@tanstack/react-query';
import { canReschedule } from '../../../contract/moves.ts';
import { api, AtelierError } from '../../app/api.ts';
import type { Input } from '../../app/reads.ts';
import { failureSentence } from '../../ui/page/page.tsx';
import { store } from '../../ui/page/store.ts';
import { forgetLease } from '../job/lease.ts';
import { firstWords, statusNow } from '../job/words.ts';
import { type BulkJob, type BulkMove, jobsFor } from './bulk-moves.ts';

/** One request for each job. */
export type BulkRequest =
  | { move: 'accept' }
  | { move: 'hold'; body: Input<'holdJob'>['body'] }
  | { move: 'release' }
  | { move: 'reschedule'; bodies: Map<string, Input<'rescheduleJob'>['body']> }
  | { move: 'reject'; body: Input<'rejectJob'>['body'] };

export type BulkItem = Pick<BulkJob, 'id' | 'customer_title'> & {
  /** The Idempotency-Key of every attempt, so that trying again moves the job at most once. */
  key: string;
  state: 'waiting' | 'done' | 'failed';
  /** Why it failed, and whether another attempt can end better. */
  failure: { reason: string; canPass: boolean } | null;
};

export type BulkRun = {
  request: BulkRequest;
  /** What was done, such as "accepted". */
  done: string;
  items: BulkItem[];
  running: boolean;
};

/** Outlives the page of the queue, so that somebody who comes back finds how it ended. */
const present = store<BulkRun | null>(null);
export const useBulkRun = present.use;

export const forgetBulkRun = (): void => present.set(null);

const setItem = (id: string, now: Pick<BulkItem, 'state' | 'failure'>): void => {
  const run = present.read();
  if (run) present.set({ ...run, items: run.items.map((item) => (item.id === id ? { ...item, ...now } : item)) });
};

/** Requests at the same time. */
const atOnce = 3;

/** Sends one request per job, so that each has its own answer. `onEnd` gets the jobs that were moved. */
export function useBulk(me: string, onEnd: (moved: string[]) => void) {
  // One mutation for all jobs: the page reads everything anew once, not after each of them.
  const { mutate } = useMutation({ mutationKey: ['bulk'], mutationFn: () => sendAll(me, onEnd) });
  const run = (next: BulkRun) => {
    present.set({ ...next, running: true });
    mutate();
  };
  return {
    start: (request: BulkRequest, done: string, jobs: readonly BulkJob[]) =>
      run({ request, done, running: true, items: jobs.map(newItem) }),
    tryAgain: (last: BulkRun) =>
      run({
        ...last,
        items: last.items.map((item) => (item.failure?.canPass ? { ...item, state: 'waiting', failure: null } : item)),
      }),
  };
}

const newItem = ({ id, customer_title }: BulkJob): BulkItem => ({
  id,
  customer_title,
  key: crypto.randomUUID(),
  state: 'waiting',
  failure: null,
});

async function sendAll(me: string, onEnd: (moved: string[]) => void): Promise<void> {
  const run = present.read();
  if (!run) return;
  const waiting = run.items.filter(({ state }) => state === 'waiting');
  let stop: unknown = null;
  const sendInTurn = async (): Promise<void> => {
    for (let item = waiting.shift(); item; item = stop === null ? waiting.shift() : undefined)
      try {
        await send(run.request, item);
        setItem(item.id, { state: 'done', failure: null });
      } catch (error) {
        if (!isAboutTheJob(error)) stop = error;
        setItem(item.id, { state: 'failed', failure: await failureOf(error, run.request.move, item.id, me) });
      }
  };
  await Promise.all(Array.from({ length: atOnce }, sendInTurn));
  for (const { id } of waiting) setItem(id, { state: 'failed', failure: { reason: 'Not sent.', canPass: true } });
  const ended = present.read();
  onEnd(ended?.items.filter(({ state }) => state === 'done').map(({ id }) => id) ?? []);
  if (ended) present.set({ ...ended, running: false });
  // An ended session asks for the password, as after any request.
  if (stop instanceof AtelierError && stop.status === 401) throw stop;
}

async function send(request: BulkRequest, { id, key }: BulkItem): Promise<void> {
  const about = { path: { id }, headers: { 'Idempotency-Key': key } };
  if (request.move === 'accept') await api.acceptJob(about);
  else if (request.move === 'hold') await api.holdJob({ ...about, body: request.body });
  else if (request.move === 'release') await api.releaseJob({ ...about, body: {} });
  else if (request.move === 'reject') await api.rejectJob({ ...about, body: request.body });
  else return reschedule(request.bodies.get(id), about);
  forgetLease(id);
}

/** Whoever holds the job keeps it. */
async function reschedule(
  body: Input<'rescheduleJob'>['body'] | undefined,
  about: Omit<Input<'rescheduleJob'>, 'body'>,
): Promise<void> {
  if (!body) throw new Error('A selected job has no new due date.');
  await api.rescheduleJob({ ...about, body });
}

/** Anything else would meet the next job as well. */
const isAboutTheJob = (error: unknown): error is AtelierError =>
  error instanceof AtelierError && [404, 409, 422].includes(error.status);

async function failureOf(failure: unknown, move: BulkMove, id: string, me: string): Promise<BulkItem['failure']> {
  if (failure instanceof AtelierError && failure.code === 'unreachable')
    return { reason: 'No answer came, so it may have been done. Trying again does it once at most.', canPass: true };
  if (!(failure instanceof Error)) return { reason: 'Something went wrong on this page.', canPass: true };
  if (!isAboutTheJob(failure)) return { reason: failureSentence(failure), canPass: true };
  const { job } = failure.status === 409 ? await api.readDeskJob({ path: { id } }).catch(nothing) : nothing();
  if (!job) return { reason: failureSentence(failure), canPass: false };
  if (move !== 'reschedule')
    return { reason: firstWords(job, me), canPass: jobsFor(move, [job], me, () => true).length > 0 };
  const reason = canReschedule(job.status)
    ? 'A question was asked or answered meanwhile.'
    : `The job is ${statusNow[job.status]} now.`;
  return { reason, canPass: false };
}

const nothing = () => ({ job: null });
