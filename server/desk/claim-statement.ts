import { sql } from 'kysely';
import type { AuditAction } from '../../contract/audit-actions.ts';
import { canMove, moves } from '../../contract/moves.ts';
import type { Trx } from '../db/pool.ts';
import { announce } from '../db/transact.ts';
import { eventMessages } from '../events/event-messages.ts';
import type { CallerOf } from '../http/caller.ts';
import type { Cause } from '../http/cause.ts';
import type { JobRow } from '../jobs/job.ts';
import { newId, showId } from '../lib/id.ts';

export type Claim = { caller: CallerOf<'desk'>; families: string[] | null; leaseSeconds: number; cause: Cause };
const claimed: AuditAction = 'job.claimed';

type Taken = { job: Pick<JobRow, 'account_id' | 'id' | 'status'>; claim: Claim };

/**
 * Leases locked jobs, and moves those that are queued (`accept`) with their events, in one statement with its audit. Accounts are locked in
 * their order, as admission locks them, so that the two never wait for each other in a ring.
 */
export async function leaseJobs(trx: Trx, taken: readonly Taken[]): Promise<void> {
  const rows = taken.map(({ job, claim: { caller, leaseSeconds, cause } }, n) => ({
    n,
    account_id: job.account_id,
    job_id: job.id,
    accepted: canMove('accept', job.status),
    operator_id: caller.method === 'session' ? caller.userId : null,
    worker_key_id: caller.method === 'session' ? null : caller.keyId,
    lease_seconds: leaseSeconds,
    event_id: newId(),
    audit_id: newId(),
    subject: showId('job', job.id),
    actor: cause.actor,
    request_id: cause.requestId,
    user_id: cause.userId,
    api_key_id: cause.apiKeyId,
    address_hash: cause.addressHash,
  }));
  await sql`
    with leases as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as l (n int, account_id uuid, job_id uuid,
        accepted boolean, operator_id uuid, worker_key_id uuid, lease_seconds int, event_id uuid, audit_id uuid,
        subject text, actor text, request_id text, user_id uuid, api_key_id uuid, address_hash text)
    ),
    counters as materialized (
      select c.account_id, c.last_event from account_counters c
      where c.account_id = any (array(select account_id from leases where accepted))
      order by c.account_id for no key update
    ),
    leased as (
      update jobs j set operator_id = l.operator_id, worker_key_id = l.worker_key_id, held_since = now(),
        lease_token = gen_random_uuid(), lease_seconds = l.lease_seconds,
        lease_expires_at = clock_timestamp() + make_interval(secs => l.lease_seconds),
        status = case when l.accepted then ${moves.accept.to} else j.status end,
        status_changed_at = case when l.accepted then now() else j.status_changed_at end,
        updated_at = case when l.accepted then now() else j.updated_at end,
        last_seq = case when l.accepted then j.last_seq + 1 else j.last_seq end,
        lease_expiries = case when l.accepted and l.actor = 'operator' then 0 else j.lease_expiries end
      from leases l
      where j.account_id = l.account_id and j.id = l.job_id and j.id = any (array(select job_id from leases))
      returning j.account_id, j.id, j.status, j.last_seq
    ),
    told as (
      insert into events (account_id, seq, id, type, job_id, job_seq, status, previous_status, actor, message, request_id,
        user_id, api_key_id, worker_key_id, address_hash)
      select l.account_id, c.last_event + row_number() over (partition by l.account_id order by l.n), l.event_id,
        'job.accepted', j.id, j.last_seq, j.status, ${moves.accept.from[0]}, l.actor, ${eventMessages['job.accepted']},
        l.request_id, l.user_id, l.api_key_id, l.worker_key_id, l.address_hash
      from leases l
      join leased j on j.account_id = l.account_id and j.id = l.job_id
      join counters c on c.account_id = l.account_id
      where l.accepted
    ),
    audited as (
      insert into audit_log (id, account_id, action, actor, subject, user_id, api_key_id, worker_key_id, address_hash,
        request_id)
      select audit_id, account_id, ${claimed}, actor, subject, user_id, api_key_id, worker_key_id, address_hash, request_id
      from leases
    )
    -- Counted over the locked rows, so that they are locked before they change: a row that its own statement changed is
    -- not seen again.
    update account_counters c set last_event = c.last_event + a.events
    from (
      select l.account_id, count(*)::int as events
      from leases l join counters on counters.account_id = l.account_id
      where l.accepted group by l.account_id
    ) a
    where c.account_id = a.account_id`.execute(trx);
  for (const { job } of taken) announce(trx, job.account_id);
}
