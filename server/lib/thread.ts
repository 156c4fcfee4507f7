import { Worker } from 'node:worker_threads';
import { programOf } from './places.ts';

/** A thread was ended at one of its limits. */
export class LimitReached extends Error {}

/**
 * Runs a program of ours, which posts `{ answer }`, in a thread. It is ended at these limits, and its end
 * frees what it loaded.
 */
export function inThread<Answer>(
  program: string,
  workerData: unknown,
  { milliseconds, megabytes }: { milliseconds: number; megabytes: number },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = new Worker(programOf(program), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  const timer = setTimeout(
    () => reject(new LimitReached(`${program} took longer than ${milliseconds} ms.`)),
    milliseconds,
  );
  worker
    // Under --watch Node also posts module names from the thread.
    .on('message', (message: object) => 'answer' in message && resolve(message.answer as Answer))
    .once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new LimitReached(error.message) : error),
    )
    .once('exit', () => reject(new Error(`${program} ended without an answer.`)));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}
