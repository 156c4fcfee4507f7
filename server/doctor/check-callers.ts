import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';
import { type Finding, ok, warn } from './run-checks.ts';

type Front = { publicUrl: string; trustProxy: readonly string[] };

/** The newest sign-ins that are looked at. */
const most = 200;
/** Fewer people may well sit in one office, unless their address is that of the proxy. */
const fewestPeople = 20;
const fewestAtProxy = 3;

type SignIns = { count: number; people: number; addresses: number; address: string };

/** Whether the service sees the addresses of its callers, or only that of the proxy. */
export async function checkCallers(db: Db, signer: Signer, { publicUrl, trustProxy }: Front): Promise<Finding> {
  // The service speaks plain HTTP, so something in front of it has the certificate.
  if (publicUrl.startsWith('https:') && trustProxy.length === 0)
    return warn(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is empty: all callers share the rates of its address.',
      'Name the address of the proxy in TRUST_PROXY, and have it replace X-Forwarded-For.',
    );
  const { count, people, addresses, address } = await readSignIns(db);
  const isProxy = trustProxy.some((proxy) => signer.hashAddress(proxy) === address);
  if (addresses !== 1 || people < (isProxy ? fewestAtProxy : fewestPeople))
    return ok('No sign-in suggests that callers share an address.');
  return warn(
    `The last ${count} sign-ins, of ${people} people, came from one address${isProxy ? ', that of the proxy' : ''}: they share its rates.`,
    'If a proxy is in front, have it replace X-Forwarded-For, and name its address in TRUST_PROXY.',
  );
}

async function readSignIns(db: Db): Promise<SignIns> {
  const { rows } = await sql<SignIns>`
    select count(*)::int as count, count(distinct user_id)::int as people,
      count(distinct address_hash)::int as addresses, coalesce(min(address_hash), '') as address
    from (
      select user_id, address_hash from audit_log
      where action = 'session.created' and actor = 'customer' and created_at > now() - interval '30 days'
      order by created_at desc, id desc limit ${most}) newest`.execute(db);
  return rows[0] ?? { count: 0, people: 0, addresses: 0, address: '' };
}
