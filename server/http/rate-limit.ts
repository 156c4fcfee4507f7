import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { CountedBy, Limit, Rate } from '../../contract/rates.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { StoreDeadlines } from '../lib/deadlines.ts';
import type { CallerOf } from './request.ts';
import { type Limiter, openRedis, type Log } from './redis-limiter.ts';
import { Refusal } from './refusal.ts';
import { createRequestNet, type Left } from './request-net.ts';

/** The parties a request counts against. Limits on absent parties are skipped. */
export type Counted = Partial<Record<CountedBy, string>>;

const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));

/** The network of a caller: one IPv4 address, also when written as IPv6, or one IPv6 /64. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const leftOut = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...leftOut, ...after].slice(0, 4).join(':');
}

export const countedFor = (caller: CallerOf<Endpoint['auth']>, ip: string): Counted => ({
  address: networkOf(ip),
  ...(caller?.accountId && caller.method !== 'review_link' ? { account: caller.accountId } : {}),
  ...(caller?.method === 'api_key' ? { key: caller.keyId } : {}),
  ...(caller?.method === 'review_link' ? { link: caller.reviewLinkId } : {}),
});

/** What names the credential of a caller. */
export const credentialOf = (caller: NonNullable<CallerOf<Endpoint['auth']>>): string =>
  caller.method === 'session' ? caller.sessionId : caller.method === 'review_link' ? caller.reviewLinkId : caller.keyId;

/** Address and network together, so that a guesser cannot lock somebody out everywhere. */
export const countedForEmail = (body: unknown, ip: string): Counted => {
  const email = (body as { email?: unknown } | undefined)?.email;
  return typeof email === 'string' ? { email: `${networkOf(ip)} ${email.toLowerCase()}` } : {};
};

type State = Limit & { by: string; remaining: number; resetSeconds: number; exceeded: boolean };

export type RateLimiter<Name extends string> = {
  policy: Record<Name, Rate>;
  /** Throws `rate_limit_exceeded`; the other limits, and those counted `before`, then get a point back. */
  spend(name: Name, counted: Counted, before?: Counted): Promise<Record<string, string>>;
  /** The refusal that the next request would get, without counting one; null if it would pass. */
  peek(name: Name, counted: Counted): Promise<Refusal | null>;
  /** Throws if the credential has no request left in the wide net over all routes. Counts nothing. */
  refuseBeyondNet(credential: string): void;
  /** Counts a request of the credential in that net. */
  countInNet(credential: string): Record<string, string>;
  inFlight: InFlight;
  /** Whether Redis answers; null without it. */
  isRedisUp(): boolean | null;
  close(): void;
};

/** Seconds until the window ends, capped at the window: the clock in memory may be set back. */
const secondsLeft = (current: RateLimiterRes | null, windowSeconds: number) =>
  current ? Math.min(Math.max(1, Math.ceil(current.msBeforeNext / 1000)), windowSeconds) : windowSeconds;

/** Structured fields of the IETF draft: the limits and what remains of each. */
const headersOf = (states: State[]) => ({
  'ratelimit-policy': states.map(({ by, limit, windowSeconds }) => `"${by}";q=${limit};w=${windowSeconds}`).join(', '),
  ratelimit: states.map(({ by, remaining, resetSeconds }) => `"${by}";r=${remaining};t=${resetSeconds}`).join(', '),
});

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

function stateOf({ by, limit, windowSeconds }: Line, current: RateLimiterRes | null, exceeded: boolean): State {
  // A point given back just after its window ended would exceed the limit.
  const remaining = Math.min(Math.max(current?.remainingPoints ?? limit, 0), limit);
  return { limit, windowSeconds, by, remaining, exceeded, resetSeconds: secondsLeft(current, windowSeconds) };
}

async function consume(line: Line): Promise<State> {
  try {
    return stateOf(line, await line.limiter.consume(line.party), false);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return stateOf(line, refused, true);
  }
}

/** Counts nothing. `exceeded`: the next request would be refused. */
async function look(line: Line): Promise<State> {
  const last = await line.limiter.get(line.party);
  const current = last && last.msBeforeNext > 0 ? last : null; // in memory a window that is over may still be there
  return stateOf(line, current, current !== null && current.remainingPoints <= 0);
}

/** Limits by name and counted party, in memory or in Redis to share them between processes. */
export async function createRateLimiter<Name extends string>(
  policy: Record<Name, Rate> & { request: { credential: Limit } },
  redisUrl: string | null,
  log: Log,
  redisDeadlines: StoreDeadlines['redis'],
): Promise<RateLimiter<Name>> {
  const redis = redisUrl === null ? null : await openRedis(redisUrl, log, redisDeadlines);
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

  const { credential: ofNet } = policy.request;
  const shared = redis && limiterOf('request', 'credential', ofNet);
  const net = createRequestNet(ofNet, shared);
  const netState = (left: Left, exceeded = false): State => ({ ...ofNet, ...left, by: 'credential', exceeded });

  const linesOf = (name: Name, counted: Counted): Line[] =>
    (limits.get(name) ?? []).flatMap((limit) => {
      const party = counted[limit.by];
      return party === undefined ? [] : [{ ...limit, party }];
    });

  return {
    policy,
    async spend(name, counted, before = {}) {
      const counters = linesOf(name, counted);
      const earlier = linesOf(name, before);
      const states: State[] = [];
      // Narrowest first: a request that a key's own limit refuses never counts against its account.
      for (const line of counters.toReversed()) {
        const state = await consume(line);
        if (state.exceeded) {
          const passed = [...earlier, ...counters.slice(counters.indexOf(line) + 1)];
          await Promise.all(passed.map(({ limiter, party }) => limiter.reward(party)));
          const current = [...earlier, ...counters].map(async (each) => (each === line ? state : look(each)));
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
    refuseBeyondNet(credential) {
      const left = net.look(credential);
      if (left.remaining === 0) throw tooMany([netState(left, true)]);
    },
    countInNet: (credential) => headersOf([netState(net.count(credential))]),
    inFlight: createInFlight(),
    isRedisUp: () => redis && redis.isUp(),
    close() {
      net.close();
      redis?.close();
    },
  };
}

/** Requests under way, by party. */
type InFlight = {
  /** Throws `rate_limit_exceeded`, or `full`, if `most` are under way. Returns what ends this one. */
  begin(party: string, most: number, full?: Refusal): () => void;
};

function createInFlight(): InFlight {
  const underWay = new Map<string, number>();
  return {
    begin(party, most, full) {
      const before = underWay.get(party) ?? 0;
      if (before >= most && full) throw full;
      if (before >= most)
        throw new Refusal('rate_limit_exceeded', {
          message: `At most ${most} of these requests at a time by credential.`,
          retryAfterSeconds: 1,
        });
      underWay.set(party, before + 1);
      return () => {
        const now = (underWay.get(party) ?? 1) - 1;
        if (now > 0) underWay.set(party, now);
        else underWay.delete(party);
      };
    },
  };
}
