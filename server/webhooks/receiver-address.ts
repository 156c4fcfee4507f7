import ipaddr from 'ipaddr.js';
import dns, { type LookupAddress } from 'node:dns';
import { Agent as PlainAgent } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Public addresses by https on port 443, and wherever `allowed` says. */
export type ReceiverRules = {
  /** Without any lookup; null if it may be tried. Names are checked at each connection. */
  fault(url: string): string | null;
  /** How to connect, so that the checked address is the one connected to. */
  connection(url: URL): { agent: PlainAgent; lookup: LookupFunction };
  close(): void;
};

/** Of a copy: no address may be tried. */
export const nowhere = (rules: ReceiverRules): ReceiverRules => ({
  ...rules,
  fault: () => 'is not reached, because this is a copy',
});

const notPublic = 'is not at a public address';

const publicNetwork = ipaddr.parseCIDR('2000::/3');

/** Only 2000::/3. An IPv4 address written as `::7f00:1` counts as unicast, but is not public. */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(publicNetwork));
}

export function createReceiverRules(allowed: readonly string[]): ReceiverRules {
  const list = new BlockList();
  for (const network of allowed) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isAllowed = (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const options = { keepAlive: true, maxSockets: 10, timeout: 30_000, allowIPAddressList: [...allowed] };
  const agents = { 'https:': new RequestFilteringHttpsAgent(options), 'http:': new RequestFilteringHttpAgent(options) };

  const lookup = lookupOnly((address) => isPublic(address) || isAllowed(address));
  /** Plain http and other ports only where allowed. */
  const lookupAllowed = lookupOnly(isAllowed);

  const isUsual = ({ protocol, port }: URL) => protocol === 'https:' && port === '';

  return {
    fault(text) {
      if (!URL.canParse(text)) return 'is not a URL';
      const url = new URL(text);
      const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
      if (url.protocol !== 'https:' && (allowed.length === 0 || url.protocol !== 'http:'))
        return 'must begin with https://';
      if (url.username !== '' || url.password !== '') return 'must carry no credentials';
      if (isIP(host) > 0) {
        if (isAllowed(host)) return null;
        if (!isPublic(host)) return notPublic;
      }
      if (allowed.length === 0 && (host === 'localhost' || host.endsWith('.localhost'))) return notPublic;
      if (isUsual(url) || (allowed.length > 0 && isIP(host) === 0)) return null;
      return 'must be at port 443';
    },
    connection(url) {
      const agent = agents[url.protocol === 'http:' ? 'http:' : 'https:'];
      return { agent, lookup: isUsual(url) ? lookup : lookupAllowed };
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

const lookupOnly =
  (isGood: (address: string) => boolean): LookupFunction =>
  (host, options, done) =>
    dns.lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, '', 4);
      if (!addresses.every(({ address }) => isGood(address))) return done(new Error(notPublic), '', 4);
      return options.all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
    });
