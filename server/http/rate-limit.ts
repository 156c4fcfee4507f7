import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { CountedBy, Limit, Rate } from '../../contract/rates.ts';
import { type Limiter, openRedis, type Say } from './redis-limiter.ts';
import { Refusal } from './refusal.ts';

/** Whom a request counts for; what it has no name for is not counted. */
export type Counted = Partial<Record<CountedBy, string>>;

type State = Limit & { by: string; remaining: number; resetSeconds: number; exceeded: boolean };

export type RateLimiter<Name extends string> = {
  policy: Record<Name, Rate>;
  /**
   * Counts one request, and answers the headers of its limits. Throws `rate_limit_exceeded` when one is passed: the request
   * then costs nothing of the others, nor of what it was counted for `before`.
   */
  spend(name: Name, counted: Counted, before?: Counted): Promise<Record<string, string>>;
  /** Whether the next request would be refused, without counting one; null when not. */
  peek(name: Name, counted: Counted): Promise<Refusal | null>;
  close(): void;
};

/** Until the window ends, and never more than it has: in memory it ends by a clock that may be set back, and then later. */
const secondsLeft = (found: RateLimiterRes | null, windowSeconds: number) =>
  found ? Math.min(Math.max(1, Math.ceil(found.msBeforeNext / 1000)), windowSeconds) : windowSeconds;

/** Structured fields of the IETF draft: what the limits are, and what is left of each. */
const headersOf = (states: State[]) => ({
  'ratelimit-policy': states.map(({ by, limit, windowSeconds }) => `"${by}";q=${limit};w=${windowSeconds}`).join(', '),
  ratelimit: states.map(({ by, remaining, resetSeconds }) => `"${by}";r=${remaining};t=${resetSeconds}`).join(', '),
});

/** The limit that is to be waited for longest is the one that is named. */
function tooMany(states: State[]): Refusal {
  const seconds = (state: State) => (state.exceeded ? state.resetSeconds : 0);
  const wait = states.reduce((longest, state) => (seconds(state) > seconds(longest) ? state : longest));
  return new Refusal('rate_limit_exceeded', {
    message: `At most ${wait.limit} requests per ${wait.windowSeconds} seconds by ${wait.by}.`,
    headers: headersOf(states),
    retryAfterSeconds: wait.resetSeconds,
  });
}

type Line = Limit & { by: CountedBy; limiter: Limiter; party: string };

function stateOf({ by, limit, windowSeconds }: Line, found: RateLimiterRes | null, exceeded: boolean): State {
  // What is given back just after a window has ended is more than the limit.
  const remaining = Math.min(Math.max(found?.remainingPoints ?? limit, 0), limit);
  return { limit, windowSeconds, by, remaining, exceeded, resetSeconds: secondsLeft(found, windowSeconds) };
}

async function consume(line: Line): Promise<State> {
  try {
    return stateOf(line, await line.limiter.consume(line.party), false);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return stateOf(line, refused, true);
  }
}

/** Counts nothing; `exceeded` says that the next request would be refused. */
async function look(line: Line): Promise<State> {
  const last = await line.limiter.get(line.party);
  const found = last && last.msBeforeNext > 0 ? last : null; // in memory a window that is over may still be there
  return stateOf(line, found, found !== null && found.remainingPoints <= 0);
}

/** Limits per name and counted party, in memory, or in Redis where several processes are to count together. */
export async function createRateLimiter<Name extends string>(
  policy: Record<Name, Rate>,
  redisUrl: string | null,
  log: Say,
): Promise<RateLimiter<Name>> {
  const redis = redisUrl === null ? null : await openRedis(redisUrl, log);
  const limiterOf = (name: string, by: string, { limit, windowSeconds }: Limit): Limiter => {
    const options = { keyPrefix: `rate:${name}:${by}`, points: limit, duration: windowSeconds };
    const memory = new RateLimiterMemory(options);
    return redis ? redis.limiter(options, memory) : memory;
  };
  const limits = new Map(
    (Object.entries(policy) as [Name, Rate][]).map(([name, rate]) => [
      name,
      (Object.entries(rate) as [CountedBy, Limit][]).map(([by, limit]) => ({
        ...limit,
        by,
        limiter: limiterOf(name, by, limit),
      })),
    ]),
  );

  const linesOf = (name: Name, counted: Counted): Line[] =>
    (limits.get(name) ?? []).flatMap((limit) => {
      const party = counted[limit.by];
      return party === undefined ? [] : [{ ...limit, party }];
    });

  return {
    policy,
    async spend(name, counted, before = {}) {
      const lines = linesOf(name, counted);
      const earlier = linesOf(name, before);
      const states: State[] = [];
      // The narrowest first: what a key's own limit refuses does not count for its account for a moment.
      for (const line of lines.toReversed()) {
        const state = await consume(line);
        if (state.exceeded) {
          const passed = [...earlier, ...lines.slice(lines.indexOf(line) + 1)];
          await Promise.all(passed.map(({ limiter, party }) => limiter.reward(party)));
          const current = [...earlier, ...lines].map(async (one) => (one === line ? state : look(one)));
          throw tooMany(await Promise.all(current));
        }
        states.unshift(state);
      }
      return states.length > 0 ? headersOf(states) : {};
    },
    async peek(name, counted) {
      const states = await Promise.all(linesOf(name, counted).map(look));
      return states.some(({ exceeded }) => exceeded) ? tooMany(states) : null;
    },
    close() {
      redis?.close();
    },
  };
}
