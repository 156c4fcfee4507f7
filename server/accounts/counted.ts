import type { Endpoint } from '../../contract/endpoint.ts';
import type { Counted } from '../kit/rate-limit.ts';
import type { CallerOf } from './caller.ts';

/** Whom a request counts for before its body is read. An IPv6 caller owns a whole /64 network. */
export const countedFor = (caller: CallerOf<Endpoint['auth']>, ip: string): Counted => ({
  address: ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip,
  ...(caller?.accountId ? { account: caller.accountId } : {}),
  ...(caller?.method === 'api_key' ? { key: caller.keyId } : {}),
});

/** What a route that takes an address counts by beside: a guesser cannot shut somebody out from everywhere. */
export const countedForEmail = (body: unknown, ip: string): Counted => {
  const email = (body as { email?: unknown } | undefined)?.email;
  return typeof email === 'string' ? { email: `${ip} ${email.toLowerCase()}` } : {};
};
