import { sql } from 'kysely';

/**
 * What figures count, as rows with time, family, kind and, for a first delivery, whether it was on time and
 * its hours since the creation. A first delivery is the release of a submission of round 0: a revision comes
 * after it. For statements with a range of time `r (first, until)`.
 */
export const happenedInRange = sql`
  select j.created_at as at, j.service_family, 'created' as what, null::boolean as on_time, null::float as hours
  from jobs j where j.created_at >= r.first and j.created_at < r.until
  union all
  select s.released_at, j.service_family, 'delivered', s.released_at <= s.due_at,
    extract(epoch from s.released_at - j.created_at)::float / 3600
  from job_submissions s join jobs j on j.account_id = s.account_id and j.id = s.job_id
  where s.round = 0 and s.released_at >= r.first and s.released_at < r.until
  union all
  select v.created_at, j.service_family, 'revised', null, null
  from events v join jobs j on j.account_id = v.account_id and j.id = v.job_id
  where v.type = 'job.revision_requested' and v.created_at >= r.first and v.created_at < r.until`;

export const counts = sql`
  (count(*) filter (where what = 'created'))::int as created,
  (count(*) filter (where what = 'delivered'))::int as delivered,
  (count(*) filter (where on_time))::int as on_time,
  (count(*) filter (where what = 'revised'))::int as revised`;
