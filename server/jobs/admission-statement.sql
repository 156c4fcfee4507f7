with drafts as materialized (
    select * from json_to_recordset($1::json) as d (
      n int, account_id uuid, job_id uuid, event_id uuid, ledger_id uuid, user_id uuid, api_key_id uuid,
      address_hash text, request_id text, by_operator boolean, idempotency_key text, fingerprint text, answer json,
      service_family text, service_type text,
      customer_title text, customer_instructions text, reference text, metadata jsonb, wanted_by timestamptz, source text,
      quality_review boolean, other_reviewer boolean, checklist text[],
      auto_approval_hours int, revisions_included int, revision_hours int, turnaround_hours int, due_at timestamptz,
      intent_brief jsonb, brand_kit boolean)
  ),
  -- Lateral: one look-up a draft, whatever Postgres believes of the size of the table.
  stored_answers as (
    select d.n, k.fingerprint = d.fingerprint as same_request, k.answer
    from drafts d cross join lateral (
      select k.fingerprint, k.answer from idempotency_keys k
      where k.account_id = d.account_id and k.route = $2 and k.key = d.idempotency_key
        and k.created_at > now() - interval '30 days'
      limit 1
    ) k
  ),
  -- Of several drafts with one key the first is decided; the others are tried again and then find its answer.
  new_drafts as (
    select d.*, d.wanted_by <= now() as wishes_too_early, d.idempotency_key is not null
        and row_number() over (partition by d.account_id, d.idempotency_key order by d.n) > 1 as repeats_key
    from drafts d where d.n not in (select n from stored_answers)
  ),
  positioned as (
    select d.*, row_number() over (partition by d.account_id order by d.n) as position
    from new_drafts d where not d.repeats_key and d.wishes_too_early is not true
  ),
  counters as (
    select c.account_id, c.active_jobs, c.last_event from account_counters c
    where c.account_id = any (array(select account_id from drafts))
    order by c.account_id for no key update skip locked
  ),
  plans as (
    select e.account_id, e.id, e.code, e.unit, e.quota, e.concurrency_limit, p.used, p.period_start, p.period_end,
      greatest(e.quota - p.used, 0) as quota_left, e.access_kind in ($3, 'both') as serves
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = any (array(select account_id from counters)) and (
  e.status in ('active', 'past_due') and now() < least(e.serves_until, e.ends_at, p.period_end
    + case when e.status = 'active' then make_interval(hours => $4::int) else interval '0' end))
    order by e.account_id, e.id for no key update of e, p
  ),
  account_limits as (
    select c.account_id, c.active_jobs,
      coalesce(sum(plans.concurrency_limit), 0)::int as concurrency_limit,
      greatest(coalesce(sum(plans.concurrency_limit), 0) - c.active_jobs, 0)::int as slots_left,
      coalesce(bool_or(plans.serves), false) as entitled,
      coalesce(sum(plans.used) filter (where plans.serves), 0)::int as used,
      coalesce(sum(plans.quota) filter (where plans.serves), 0)::int as quota,
      coalesce(sum(plans.quota_left) filter (where plans.serves), 0)::int as quota_left,
      coalesce(min(plans.unit) filter (where plans.serves), 'job') as unit
    from counters c left join plans on plans.account_id = c.account_id
    group by c.account_id, c.active_jobs
  ),
  -- The plan whose period ends first pays until its quota is used, then the next.
  payers as (
    select plans.*, sum(quota_left) over (partition by account_id order by period_end, id) as last_position
    from plans where serves and quota_left > 0
  ),
  decided as (
    select d.*, coalesce((case
      when not l.entitled then array['entitlement_required']
      else array_remove(array[
        case when l.quota_left <= least(d.position - 1, l.quota_left, l.slots_left) then 'quota_exceeded' end,
        case when l.slots_left <= least(d.position - 1, l.quota_left, l.slots_left) then 'concurrency_limit_exceeded' end], null)
    end)[1], 'admitted') as outcome,
      payers.id as entitlement_id, payers.code as plan_code, payers.unit, payers.period_start
    from positioned d
    join account_limits l on l.account_id = d.account_id
    left join payers on payers.account_id = d.account_id
      and d.position > payers.last_position - payers.quota_left and d.position <= payers.last_position
  ),
  -- Written first: a draft that loses its key to another statement is not admitted.
  new_keys as (
    insert into idempotency_keys (account_id, route, key, fingerprint, status, answer)
    select account_id, $5, idempotency_key, fingerprint, 201, answer
    from decided where outcome = 'admitted' and idempotency_key is not null
    order by account_id, idempotency_key
    on conflict (account_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
        created_at = excluded.created_at
      where excluded.created_at - idempotency_keys.created_at >= interval '30 days'
    returning account_id, key
  ),
  admitted as (
    select d.* from decided d
    where d.outcome = 'admitted' and (d.idempotency_key is null
      or exists (select from new_keys k where k.account_id = d.account_id and k.key = d.idempotency_key))
  ),
  new_jobs as (
    insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
      reference, metadata, wanted_by, source, plan_code, created_by_user, created_by_key, by_operator, quality_review,
      other_reviewer, checklist, auto_approval_hours, revisions_included, revision_hours, due_at, intent_brief)
    select job_id, account_id, 'queued', service_family, service_type, customer_title, customer_instructions,
      reference, metadata, wanted_by, source, plan_code, user_id, api_key_id, by_operator, quality_review,
      other_reviewer, checklist, auto_approval_hours, revisions_included, revision_hours, coalesce(due_at, now() + make_interval(hours => turnaround_hours)), intent_brief
    from admitted
  ),
  -- Lateral, as above. Only an account with a kit costs more than one look-up.
  brands as (
    select a.account_id, a.job_id, k.facts
    from admitted a cross join lateral (select facts from brand_kits where account_id = a.account_id limit 1) k
    where a.brand_kit
  ),
  new_brands as (
    insert into job_brands (account_id, job_id, facts)
    select account_id, job_id, facts from brands where jsonb_array_length(facts) > 0
  ),
  -- Copies on the same bytes. The lock keeps a file in its kit, and so its bytes, until this has committed.
  new_brand_files as (
    insert into files (account_id, id, job_id, uploaded_by, purpose, file_name, content_type, declared_bytes,
      retention_days, status, object_key, etag, stored_bytes, poster_status, poster_key, poster_due_at, pixel_width,
      pixel_height, viewing_status, viewing_key, viewing_bytes, viewing_due_at, brand_position, uploaded_at)
    select b.account_id, uuidv7(), b.job_id, f.uploaded_by, f.purpose, f.file_name, f.content_type, f.declared_bytes,
      f.retention_days, f.status, f.object_key, f.etag, f.stored_bytes, f.poster_status, f.poster_key, f.poster_due_at,
      f.pixel_width, f.pixel_height, f.viewing_status, f.viewing_key, f.viewing_bytes, f.viewing_due_at,
      f.brand_position, now()
    from brands b cross join lateral (
      select * from files
      where account_id = b.account_id and brand_position is not null and job_id is null
      order by brand_position limit 20 for share
    ) f
  ),
  new_events as (
    insert into events (account_id, seq, id, type, job_id, job_seq, status, actor, message, request_id, user_id,
      api_key_id, address_hash)
    select a.account_id, c.last_event + row_number() over (partition by a.account_id order by a.n), a.event_id,
      'job.created', a.job_id, 1, 'queued',
      case when a.by_operator then 'operator' else 'customer' end, $6, a.request_id, a.user_id,
      a.api_key_id, a.address_hash
    from admitted a join counters c on c.account_id = a.account_id
  ),
  new_charges as (
    insert into usage_ledger (id, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
      service_family, unit, quantity)
    select ledger_id, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
      service_family, unit, 1
    from admitted
  ),
  new_totals as (
    insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
    select account_id, (now()::timestamptz(3) at time zone 'UTC')::date, entitlement_id, period_start, service_family,
      coalesce(api_key_id, '00000000-0000-0000-0000-000000000000'), count(*)
    from admitted group by account_id, entitlement_id, period_start, service_family, api_key_id
    on conflict (account_id, day, entitlement_id, period_start, service_family, api_key_id)
      do update set quantity = usage_totals.quantity + excluded.quantity
  ),
  counted_jobs as (
    update account_counters c set active_jobs = c.active_jobs + a.jobs, last_event = c.last_event + a.jobs
    from (select account_id, count(*)::int as jobs from admitted group by account_id) a
    where c.account_id = a.account_id
  ),
  used_quota as (
    update entitlement_periods p set used = p.used + a.jobs
    from (select account_id, entitlement_id, count(*)::int as jobs from admitted group by account_id, entitlement_id) a
    where p.account_id = a.account_id and p.entitlement_id = a.entitlement_id
  ),
  -- A draft that lost its key had a position; drafts that were refused behind it are tried again.
  outraced_accounts as (
    select distinct account_id from decided
    where outcome = 'admitted' and job_id not in (select job_id from admitted)
  )
  select s.n, case when s.same_request then 'replayed' else 'idempotency_key_conflict' end as outcome, s.answer
  from stored_answers s
  union all
  select n, case when repeats_key then 'outraced' else 'wish_too_early' end, null
  from new_drafts where repeats_key or wishes_too_early
  union all
  select n, 'locked', null from positioned where account_id not in (select account_id from counters)
  union all
  select d.n, case
    when d.job_id in (select job_id from admitted) then 'admitted'
    when d.account_id in (select account_id from outraced_accounts) then 'outraced'
    else d.outcome end, null
  from decided d
  order by n
