import { mintKey } from '../server/keys/key-finder.ts';
import type { Service } from './start-service.ts';

/** Returns worker tokens; the table `bench_workers` lists the keys for pgbench. Needs `bench_accounts`. */
export async function createWorkers({ database }: Service, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, () => mintKey('atw'));
  await database.query('create table bench_workers (worker_key_id uuid)');
  // A worker key works for as long as its creator is an operator.
  await database.query(
    "update people set operator_role = 'owner' where id = (select user_id from bench_accounts where n = 0)",
  );
  await database.query(
    `with keys as (
       insert into worker_keys (id, created_by, name, prefix, secret_sha256)
       select uuidv7(), a.user_id, 'bench', k.prefix, decode(k.digest, 'hex')
       from unnest($1::text[], $2::text[]) as k (prefix, digest), bench_accounts a where a.n = 0 returning id
     )
     insert into bench_workers select id from keys`,
    [keys.map(({ prefix }) => prefix), keys.map(({ digest }) => digest.toString('hex'))],
  );
  return keys.map(({ plaintext }) => plaintext);
}
