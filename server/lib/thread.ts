import { parentPort, Worker } from 'node:worker_threads';
import { programOf } from './places.ts';

/** A thread was ended at one of its limits. */
export class LimitReached extends Error {}

/** Of a program in a thread, to the one that started it. */
export const tell = (message: { loaded: true } | { answer: unknown }): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  parentPort?.postMessage(message);

/**
 * Runs a program of ours in a thread. It tells `{ loaded: true }` once its modules are loaded, from when it
 * has these milliseconds, and then `{ answer }`. It is ended at these limits, and its end frees its memory.
 */
export function inThread<Answer>(
  program: string,
  workerData: unknown,
  { milliseconds, megabytes, loading = 30_000 }: { milliseconds: number; megabytes: number; loading?: number },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(programOf(program), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  const endAfter = (most: number) =>
    setTimeout(() => reject(new LimitReached(`${program} took longer than ${most} ms.`)), most);
  let timer = endAfter(loading);
  worker
    // Under --watch Node also posts module names from the thread.
    .on('message', (message: object) => {
      if ('answer' in message) resolve(message.answer as Answer);
      if (!('loaded' in message)) return;
      clearTimeout(timer);
      timer = endAfter(milliseconds);
    })
    .once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new LimitReached(error.message) : error),
    )
    .once('exit', () => reject(new Error(`${program} ended without an answer.`)));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}
