import { setTimeout as wait } from 'node:timers/promises';

/** What `running` answers, or the error of `late` once it has taken so many milliseconds. It is not stopped by that. */
export async function within<T>(milliseconds: number, running: Promise<T>, late: () => Error): Promise<T> {
  const answered = new AbortController();
  const tooLate = wait(milliseconds, undefined, { signal: answered.signal }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([running, tooLate]);
  } finally {
    answered.abort();
  }
}
