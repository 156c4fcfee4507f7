import pTimeout from 'p-timeout';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { StoreDeadlines } from '../lib/deadlines.ts';

export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'reward' | 'get'>;

export type Log = { warn(fields: object, message: string): void; info(message: string): void };

/** Answers that arrived while this process was busy are read before the deadline is judged. */
const afterReading = {
  setTimeout: ((run: () => void, milliseconds: number) =>
    setTimeout(() => setImmediate(run), milliseconds)) as typeof setTimeout,
  clearTimeout,
};

type Ask = <Answer>(call: () => Promise<Answer>, inMemory: () => Promise<Answer>) => Promise<Answer>;

/** Uses this process's memory while Redis is away, and tries Redis every two seconds. */
function askWhile(
  isReady: () => boolean,
  log: Log,
  { answer, silence }: StoreDeadlines['redis'],
): { ask: Ask; fail(error: unknown): void; isAway(): boolean } {
  const tooSlow = new Error(`Redis gave no answer within ${answer} ms`);
  let away = false;
  let silentUntil = 0; // monotonic clock
  let trying = false;

  function fail(error: unknown): void {
    silentUntil = performance.now() + silence;
    if (!away)
      log.warn(
        { err: error },
        'Redis is unavailable: rates are counted in the memory of each process until it returns',
      );
    away = true;
  }
  function succeed(): void {
    if (away) log.info('Redis is available again: rates are counted there');
    away = false;
  }
  const ask: Ask = async (call, inMemory) => {
    const tries = away;
    if (!isReady() || (tries && (trying || performance.now() < silentUntil))) return inMemory();
    if (tries) trying = true;
    try {
      const counted = await pTimeout(call(), { milliseconds: answer, message: tooSlow, customTimers: afterReading });
      succeed();
      return counted;
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        succeed(); // the limit is passed
        throw error;
      }
      fail(error);
      return inMemory();
    } finally {
      if (tries) trying = false;
    }
  };
  return { ask, fail, isAway: () => away };
}

export async function openRedis(url: string, log: Log, limits: StoreDeadlines['redis']) {
  const { createClient } = await import('redis'); // 600 files, so loaded only if used
  const { connect, ping, idle } = limits;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: ping,
    socket: {
      connectTimeout: connect,
      socketTimeout: idle,
      reconnectStrategy: (tries) => Math.min(tries * 200, 2_000),
    },
  });
  const { ask, fail, isAway } = askWhile(() => client.isReady, log, limits);
  client.on('error', fail);
  const connected = client.connect().catch(() => {}); // failures also arrive as error events
  await pTimeout(connected, { milliseconds: connect, message: false });
  if (!client.isReady) fail(new Error(`Redis was not ready within ${connect} ms`));

  return {
    limiter(options: IRateLimiterOptions, memory: Limiter): Limiter {
      const shared = new RateLimiterRedis({ ...options, storeClient: client, useRedisPackage: true });
      return {
        consume: (party, points) =>
          ask(
            () => shared.consume(party, points),
            () => memory.consume(party, points),
          ),
        reward: (party, points) =>
          ask(
            () => shared.reward(party, points),
            () => memory.reward(party, points),
          ),
        get: (party) =>
          ask(
            () => shared.get(party),
            () => memory.get(party),
          ),
      };
    },
    isUp: () => client.isReady && !isAway(),
    close: () => client.destroy(),
  };
}
