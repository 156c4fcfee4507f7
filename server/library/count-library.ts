import { sql } from 'kysely';
import type { countLibrary as endpoint } from '../../contract/files/library.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { brandName, isLeaving, isOwn } from './filter.ts';

type Counts = {
  approved: number;
  studio: number;
  mine: number;
  all: number;
  leaving: number;
  services: { service_family: string; service_type: string }[];
  brands: string[];
};

/** Counts and filters are of so many jobs at most. What leaves is counted whole: it is never the newest. */
const most = 1_000;

export async function countLibrary(
  { db }: { db: Db },
  { caller: { accountId } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { rows } = await sql<Counts>`
    with finished as materialized (
      select o.job_id, o.service_family, o.service_type, o.ended_at from job_outcomes o
      where o.account_id = ${accountId} and o.status = 'completed'
      order by o.ended_at desc, o.job_id desc limit ${most}),
    released as materialized (
      select id from jobs j where j.account_id = ${accountId} and j.ever_released limit ${most}),
    own as materialized (
      select distinct f.job_id from files f
      where f.account_id = ${accountId} and f.job_id is not null and ${isOwn} limit ${most}),
    whole as materialized (
      select j.* from finished o
      cross join lateral (select * from jobs where account_id = ${accountId} and id = o.job_id limit 1) j)
    select (select count(*) from finished)::int as approved, (select count(*) from released)::int as studio,
      (select count(*) from own)::int as mine,
      (select count(*) from (select id from released union select job_id from own) e)::int as all,
      (select count(*) from job_outcomes o
        cross join lateral (select * from jobs where account_id = ${accountId} and id = o.job_id limit 1) j
        where o.account_id = ${accountId} and o.status = 'completed' and (o.ended_at > now() - interval '366 days'
            or o.imported_at > now() - interval '366 days')
          and ${isLeaving(accountId)})::int as leaving,
      coalesce((select json_agg(s order by s.service_family, s.service_type)
        from (select distinct service_family, service_type from finished) s), '[]') as services,
      coalesce((select json_agg(b.name order by b.name)
        from (select distinct ${brandName(accountId)} as name from whole j) b where b.name is not null), '[]') as brands`.execute(
    db,
  );
  const { leaving, services, brands, ...counts } = rows[0] ?? none;
  return { status: 200, body: { counts, leaving, filters: { services, brands } } };
}

const none: Counts = { approved: 0, studio: 0, mine: 0, all: 0, leaving: 0, services: [], brands: [] };
