import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Limit } from '../../contract/rates.ts';
import type { Limiter } from './redis-limiter.ts';

/** How many requests of a credential are left, and for how many seconds the window lasts. */
export type Left = { remaining: number; resetSeconds: number };

/** Requests per credential over all routes. It never waits for Redis, so no request becomes slower by it. */
export type RequestNet = {
  look(credential: string): Left;
  count(credential: string): Left;
  close(): void;
};

/** Milliseconds between reports to Redis. Requests counted between two reports may exceed the limit. */
const reportEvery = 250;

type Window = { count: number; unreported: number; endsAt: number };

/** Counts in memory. With `shared`, reports in the background and adopts the count of all processes. */
export function createRequestNet({ limit, windowSeconds }: Limit, shared: Limiter | null): RequestNet {
  const windows = new Map<string, Window>();

  const left = ({ count, endsAt }: Window): Left => ({
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil((endsAt - performance.now()) / 1000)),
  });
  const fresh = (): Window => ({ count: 0, unreported: 0, endsAt: performance.now() + windowSeconds * 1000 });
  const current = (credential: string): Window => {
    const window = windows.get(credential);
    return window && window.endsAt > performance.now() ? window : fresh();
  };

  async function report(credential: string, window: Window, to: Limiter): Promise<void> {
    const reported = window.unreported;
    window.unreported = 0;
    const counted = await to.consume(credential, reported).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    window.count = Math.max(window.count, counted.consumedPoints + window.unreported);
    window.endsAt = performance.now() + Math.min(counted.msBeforeNext, windowSeconds * 1000);
  }

  /** A failed report is lost: the memory of this process still counts. */
  const tidy = setInterval(() => {
    for (const [credential, window] of windows)
      if (window.endsAt <= performance.now()) windows.delete(credential);
      else if (shared && window.unreported > 0) void report(credential, window, shared).catch(() => {});
  }, reportEvery);
  tidy.unref();

  return {
    look: (credential) => left(current(credential)),
    count(credential) {
      const window = current(credential);
      windows.set(credential, window);
      window.count++;
      window.unreported++;
      return left(window);
    },
    close: () => clearInterval(tidy),
  };
}
