import { type RawBuilder, sql } from 'kysely';
import type { ErrorCode } from '../../contract/errors.ts';
import { usable } from '../entitlements/entitlement.ts';
import type { Db } from '../db/pool.ts';
import { findStoredAnswer, keptFor } from '../db/idempotency.ts';
import { keyedBatch } from '../db/keyed-batch.ts';
import { batch, type Candidate, createRoute } from './candidate.ts';
import { eventWords } from './job-event.ts';

/** What a plan must serve: sessions want `human`, API keys want `agent`; `both` serves either. */
export type AccessKind = 'human' | 'agent';

export type Reason = Extract<ErrorCode, 'entitlement_required' | 'quota_exceeded' | 'concurrency_limit_exceeded'>;

/** `again`: another batch committed the key or the room meanwhile, and this statement's snapshot could not see it. */
export type Verdict =
  | { verdict: 'admitted' }
  | { verdict: 'replayed'; answer: unknown }
  | { verdict: 'idempotency_key_conflict' }
  | { verdict: 'again' }
  | { verdict: Reason };

/** Whether accounts are locked: not at all, each when it comes free, or only those that are free now. */
type Lock = 'none' | 'wait' | 'skip';
const locking = { none: sql``, wait: sql`for no key update`, skip: sql`for no key update skip locked` };

/**
 * How the accounts in `draft` stand: active jobs, and room and limits of their usable plans. For admission every row that
 * counts is locked, accounts first and in a fixed order, so that batches never deadlock; a row that had to be waited for
 * is read in its newest version. `place` (1, 2, …) is a draft's place in its account's queue of this batch.
 */
const standing = (kind: AccessKind, graceHours: number, lock: Lock) => sql`
  counter as (
    select c.account_id, c.active_jobs from account_counters c
    where c.account_id in (select account_id from draft)
    order by c.account_id ${locking[lock]}
  ),
  plan as (
    select e.account_id, e.id, e.code, e.unit, e.quota, e.concurrency_limit, p.used, p.period_start, p.period_end,
      greatest(e.quota - p.used, 0) as room, e.access_kind in (${kind}, 'both') as serves
    from counter c
    join entitlements e on e.account_id = c.account_id
    join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where ${usable(graceHours)}
    order by e.account_id, e.id ${lock === 'none' ? sql`` : sql`for no key update of e, p`}
  ),
  standing as (
    select c.account_id, c.active_jobs,
      coalesce(sum(plan.concurrency_limit), 0)::int as concurrency_limit,
      greatest(coalesce(sum(plan.concurrency_limit), 0) - c.active_jobs, 0)::int as free,
      coalesce(bool_or(plan.serves), false) as entitled,
      coalesce(sum(plan.room) filter (where plan.serves), 0)::int as room,
      coalesce(sum(plan.used) filter (where plan.serves), 0)::int as used,
      coalesce(sum(plan.quota) filter (where plan.serves), 0)::int as quota,
      coalesce(min(plan.unit) filter (where plan.serves), 'job') as unit
    from counter c left join plan on plan.account_id = c.account_id
    group by c.account_id, c.active_jobs
  )`;

/**
 * The rule, once: every reason why a draft at `place` is refused, the first one first.
 * Those before it in the same batch have taken `least(place - 1, room, free)`. No reason: admitted.
 */
const reasons = (place: RawBuilder<unknown>) => {
  const taken = sql`least(${place} - 1, s.room, s.free)`;
  return sql`case
    when not s.entitled then array['entitlement_required']
    else array_remove(array[
      case when s.room - ${taken} <= 0 then 'quota_exceeded' end,
      case when s.free - ${taken} <= 0 then 'concurrency_limit_exceeded' end], null)
  end`;
};

type Forecast = {
  reasons: Reason[];
  active_jobs: number;
  concurrency_limit: number;
  free: number;
  room: number;
  used: number;
  quota: number;
  unit: string;
};

/** What admission would say to one more draft of the account, without locking or writing. */
export async function forecast(db: Db, accountId: string, kind: AccessKind, graceHours: number): Promise<Forecast> {
  const { rows } = await sql<Forecast>`
    with draft as (select ${accountId}::uuid as account_id), ${standing(kind, graceHours, 'none')}
    select ${reasons(sql`1`)} as reasons, s.active_jobs, s.concurrency_limit, s.free, s.room, s.used, s.quota, s.unit
    from standing s`.execute(db);
  if (!rows[0]) throw new Error('An account has no counters.');
  return rows[0];
}

/** The verdict of each placed draft, with the plan that pays: the one whose period ends first among those with room. */
const judged = sql`
  slot as (
    select plan.*, sum(room) over (partition by account_id order by period_end, id) as upto
    from plan where serves and room > 0
  ),
  judged as (
    select p.*, coalesce((${reasons(sql`p.place`)})[1], 'admitted') as verdict,
      slot.id as entitlement_id, slot.code as entitlement_code, slot.unit, slot.period_start
    from placed p
    join standing s on s.account_id = p.account_id
    left join slot on slot.account_id = p.account_id and p.place > slot.upto - slot.room and p.place <= slot.upto
  )`;

/** What is written for an admitted draft. The idempotency row comes first: who loses it to another batch is not taken. */
const written = sql`
  kept as (
    insert into idempotency_keys (account_id, route, key, fingerprint, status, answer)
    select account_id, ${createRoute}, idempotency_key, fingerprint, 201, answer
    from judged where verdict = 'admitted' and idempotency_key is not null
    order by account_id, idempotency_key
    on conflict (account_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, created_at = now()
      where idempotency_keys.created_at <= now() - ${keptFor}
    returning account_id, key
  ),
  taken as (
    select j.* from judged j
    where j.verdict = 'admitted' and (j.idempotency_key is null
      or exists (select from kept k where k.account_id = j.account_id and k.key = j.idempotency_key))
  ),
  job as (
    insert into jobs (id, account_id, status, service_family, service_type, customer_title, customer_instructions,
      source, entitlement_code, created_by_user, created_by_key, quality_review, auto_approval_hours,
      revisions_included, due_at, intent_brief)
    select job_id, account_id, 'queued', service_family, service_type, customer_title, customer_instructions,
      source, entitlement_code, user_id, api_key_id, quality_review, auto_approval_hours, revisions_included,
      now() + make_interval(hours => turnaround_hours), intent_brief
    from taken
  ),
  event as (
    insert into job_events (id, account_id, job_id, seq, type, status, actor, message, request_id)
    select event_id, account_id, job_id, 1, 'job.created', 'queued', 'customer', ${eventWords['job.created']}, request_id from taken
  ),
  charge as (
    insert into usage_ledger (id, account_id, entitlement_id, entitlement_code, period_start, job_id, api_key_id,
      service_family, unit, quantity)
    select ledger_id, account_id, entitlement_id, entitlement_code, period_start, job_id, api_key_id,
      service_family, unit, 1
    from taken
  ),
  active as (
    update account_counters c set active_jobs = c.active_jobs + t.jobs
    from (select account_id, count(*)::int as jobs from taken group by account_id) t
    where c.account_id = t.account_id
  ),
  used as (
    update entitlement_periods p set used = p.used + t.jobs
    from (select account_id, entitlement_id, count(*)::int as jobs from taken group by account_id, entitlement_id) t
    where p.account_id = t.account_id and p.entitlement_id = t.entitlement_id
  )`;

/**
 * Admits drafts of callers of one kind in one set-based statement: a verdict for each, in their order; null where the
 * account is locked and is not waited for. What it admits is there whole: job, event, ledger row, counters and
 * idempotency row, or nothing. Drafts of one account are taken in the order given.
 */
async function judge(
  db: Db,
  kind: AccessKind,
  graceHours: number,
  drafts: readonly Candidate[],
  lock: 'wait' | 'skip',
): Promise<(Verdict | null)[]> {
  const { rows } = await sql<Verdict | { verdict: 'locked' }>`
    with ${batch(drafts)}, ${standing(kind, graceHours, lock)}, ${judged}, ${written},
    -- Drafts that lost their key to another batch held a place; who was refused behind them is asked again.
    lost as (
      select distinct account_id from judged where verdict = 'admitted' and job_id not in (select job_id from taken)
    )
    select k.n, case when k.same then 'replayed' else 'idempotency_key_conflict' end as verdict, k.answer from known k
    union all
    select n, 'again', null from fresh where copy
    union all
    select j.n, case
      when j.job_id in (select job_id from taken) then 'admitted'
      when j.account_id in (select account_id from lost) then 'again'
      else j.verdict end, null
    from judged j
    union all
    select n, 'locked', null from placed where account_id not in (select account_id from counter)
    order by n`.execute(db);
  if (rows.length !== drafts.length) throw new Error('Admission did not answer every draft.');
  return rows.map((row) => (row.verdict === 'locked' ? null : row));
}

/** Waits for accounts that somebody else has locked. */
export async function admit(
  db: Db,
  kind: AccessKind,
  graceHours: number,
  drafts: readonly Candidate[],
): Promise<Verdict[]> {
  const verdicts = await judge(db, kind, graceHours, drafts, 'wait');
  return verdicts.map((verdict) => {
    if (verdict === null) throw new Error('An account has no counters.');
    return verdict;
  });
}

export type Final = Exclude<Verdict, { verdict: 'again' }>;
export type Admit = (kind: AccessKind, draft: Candidate) => Promise<Final>;

/**
 * Admission on the pool: drafts of one tick and kind share a statement. An account that somebody else has locked, for a
 * move or for longer than that, waits in a statement of its own.
 */
export function admission(db: Db, graceHours: number): Admit {
  const createBatcher = (kind: AccessKind) => {
    const ask = (drafts: readonly Candidate[]) => judge(db, kind, graceHours, drafts, 'skip');
    const wait = (drafts: readonly Candidate[]) => admit(db, kind, graceHours, drafts);
    const limits = { maxBatchSize: 200, maxInFlight: 3, maxWaiting: 2, maxWaitMs: 2_500 };
    return keyedBatch((draft: Candidate) => draft.account_id, { ask, wait }, limits);
  };
  const batchers = { human: createBatcher('human'), agent: createBatcher('agent') };
  return (kind, draft) => settle(db, draft, () => batchers[kind](draft));
}

/**
 * A verdict that stands. What lost a race is asked again. A refusal may have waited for the batch that took the last
 * place for the very same key, so its key is looked up: that batch committed before the refusal, and a new statement
 * sees it.
 */
export async function settle(db: Db, draft: Candidate, ask: () => Promise<Verdict | undefined>): Promise<Final> {
  for (;;) {
    const answer = await ask();
    if (answer?.verdict === 'admitted' || answer?.verdict === 'replayed') return answer;
    if (answer && answer.verdict !== 'again') return (await replayOf(db, draft)) ?? answer;
  }
}

type Attempt = Pick<Candidate, 'account_id' | 'idempotency_key' | 'fingerprint'>;
export type Kept = Extract<Final, { verdict: 'replayed' | 'idempotency_key_conflict' }>;

/** What the key of an attempt was answered; null where nothing is kept. */
export async function replayOf(db: Db, attempt: Attempt): Promise<Kept | null> {
  const { account_id: accountId, idempotency_key: key, fingerprint } = attempt;
  const kept = key === null ? undefined : await findStoredAnswer(db, { owner: { accountId }, route: createRoute, key });
  if (!kept) return null;
  if (kept.fingerprint !== fingerprint) return { verdict: 'idempotency_key_conflict' };
  return { verdict: 'replayed', answer: kept.answer };
}
