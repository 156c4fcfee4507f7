import type { Endpoint } from '../../contract/endpoint.ts';
import type { Counted } from './rate-limit.ts';
import type { CallerOf } from './caller.ts';

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
