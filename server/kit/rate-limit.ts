import { createClient } from 'redis';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { CountedBy, Limit, Rate } from '../../contract/rates.ts';
import { Refusal } from './refusal.ts';

/** Whom a request counts for; what it has no name for is not counted. */
export type Counted = Partial<Record<CountedBy, string>>;

type State = Limit & { by: string; remaining: number; resetSeconds: number; exceeded: boolean };

export type RateLimiter<Name extends string> = {
  policy: Record<Name, Rate>;
  /** Counts one request. Throws `rate_limit_exceeded` when a limit is passed; answers the headers of the rest. */
  spend(name: Name, counted: Counted): Promise<Record<string, string>>;
  /** Whether the next request would be refused, without counting one; null when not. */
  peek(name: Name, counted: Counted): Promise<Refusal | null>;
  close(): void;
};

const seconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** Structured fields of the IETF draft: what the limits are, and what is left of each. */
const headersOf = (states: State[]) => ({
  'ratelimit-policy': states.map(({ by, limit, windowSeconds }) => `"${by}";q=${limit};w=${windowSeconds}`).join(', '),
  ratelimit: states.map(({ by, remaining, resetSeconds }) => `"${by}";r=${remaining};t=${resetSeconds}`).join(', '),
});

function refusalOf(states: State[]): Refusal | null {
  const exceeded = states.filter((state) => state.exceeded);
  if (exceeded.length === 0) return null;
  const wait = exceeded.reduce((longest, state) => (state.resetSeconds > longest.resetSeconds ? state : longest));
  return new Refusal('rate_limit_exceeded', {
    message: `At most ${wait.limit} requests per ${wait.windowSeconds} seconds by ${wait.by}.`,
    headers: headersOf(states),
    retryAfterSeconds: wait.resetSeconds,
  });
}

type Say = { warn(fields: object, message: string): void; info(message: string): void };

/** Redis that tells once when it goes away and once when it is back; meanwhile each process counts for itself. */
function openRedis(url: string, log: Say) {
  let away = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: 500 },
    socket: { connectTimeout: 1_000, reconnectStrategy: (tries) => Math.min(tries * 200, 2_000) },
  });
  client.on('error', (error) => {
    if (!away) log.warn({ err: error }, 'Redis is away: rates count in the memory of each process until it is back');
    away = true;
  });
  client.on('ready', () => {
    if (away) log.info('Redis is back: rates count there again');
    away = false;
  });
  void client.connect().catch(() => {}); // its failures come as error events too
  return client;
}

/** Limits per name and counted party, in memory, or in Redis where several processes are to count together. */
export function openRateLimiter<Name extends string>(
  policy: Record<Name, Rate>,
  redisUrl: string | null,
  log: Say,
): RateLimiter<Name> {
  const redis = redisUrl === null ? null : openRedis(redisUrl, log);
  const limiters = new Map<string, RateLimiterAbstract>();

  const limiterOf = (name: Name, by: CountedBy, { limit, windowSeconds }: Limit): RateLimiterAbstract => {
    const keyPrefix = `rate:${name}:${by}`;
    const known = limiters.get(keyPrefix);
    if (known) return known;
    const options = { keyPrefix, points: limit, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    const made = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true, insuranceLimiter: memory })
      : memory;
    limiters.set(keyPrefix, made);
    return made;
  };

  const each = async (
    name: Name,
    counted: Counted,
    ask: (limiter: RateLimiterAbstract, party: string) => Promise<{ found: RateLimiterRes | null; exceeded: boolean }>,
  ): Promise<State[]> => {
    const lines = (Object.entries(policy[name]) as [CountedBy, Limit][]).filter(([by]) => counted[by] !== undefined);
    return Promise.all(
      lines.map(async ([by, limit]) => {
        const { found, exceeded } = await ask(limiterOf(name, by, limit), counted[by] ?? '');
        const remaining = Math.max(found?.remainingPoints ?? limit.limit, 0);
        return {
          ...limit,
          by,
          remaining,
          exceeded,
          resetSeconds: seconds(found?.msBeforeNext ?? limit.windowSeconds * 1000),
        };
      }),
    );
  };

  return {
    policy,
    async spend(name, counted) {
      const states = await each(name, counted, async (limiter, party) => {
        try {
          return { found: await limiter.consume(party), exceeded: false };
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          return { found: refused, exceeded: true };
        }
      });
      const refusal = refusalOf(states);
      if (refusal) throw refusal;
      return states.length > 0 ? headersOf(states) : {};
    },
    async peek(name, counted) {
      const states = await each(name, counted, async (limiter, party) => {
        const found = await limiter.get(party);
        return { found, exceeded: found !== null && found.remainingPoints <= 0 };
      });
      return refusalOf(states);
    },
    close() {
      redis?.destroy();
    },
  };
}
