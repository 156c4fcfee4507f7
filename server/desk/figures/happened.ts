import { sql } from 'kysely';

/**
 * What happened in a range of time `r (first, until)`, per UTC day and family, as rows of `day_figures`. A
 * first delivery is the release of a submission of round 0: a revision comes after it. Imported jobs do not
 * count.
 */
export const happenedInRange = sql`
  select (h.at at time zone 'UTC')::date as day, h.service_family,
    (count(*) filter (where h.what = 'created'))::int as created,
    (count(*) filter (where h.what = 'delivered'))::int as delivered,
    (count(*) filter (where h.on_time))::int as on_time,
    (count(*) filter (where h.what = 'revised'))::int as revised,
    coalesce(array_agg(h.hours) filter (where h.what = 'delivered'), '{}') as hours
  from (
    select j.created_at as at, j.service_family, 'created' as what, null::boolean as on_time, null::float as hours
    from jobs j where j.created_at >= r.first and j.created_at < r.until and j.imported_at is null
    union all
    select s.released_at, j.service_family, 'delivered', s.released_at <= s.due_at,
      extract(epoch from s.released_at - j.created_at)::float / 3600
    from job_submissions s join jobs j on j.account_id = s.account_id and j.id = s.job_id
    where s.round = 0 and s.released_at >= r.first and s.released_at < r.until and j.imported_at is null
    union all
    select v.created_at, j.service_family, 'revised', null, null
    from events v join jobs j on j.account_id = v.account_id and j.id = v.job_id
    where v.type = 'job.revision_requested' and v.created_at >= r.first and v.created_at < r.until
  ) h
  group by 1, 2`;
