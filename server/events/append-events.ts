import { sql } from 'kysely';
import type { AccountEventType } from '../../contract/jobs/events.ts';
import type { JobStatus } from '../../contract/moves.ts';
import type { OptionalField } from '../../contract/jobs/optional-fields.ts';
import { announce, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { newId } from '../lib/id.ts';
import { eventMessages } from './event-messages.ts';

/** Ids in `data` are public ids. */
export type EventData = {
  file_id?: string;
  round?: number;
  reason_code?: string;
  unit_returned?: boolean;
  plan_code?: string;
  api_key_id?: string;
  webhook_endpoint_id?: string;
  quota_adjustment_id?: string;
  quantity?: number;
  message_id?: string;
  order_id?: string;
  words?: string;
  waited_seconds?: number;
  due_at?: string | null;
  previous_due_at?: string | null;
  remaining_seconds?: number;
  previous_remaining_seconds?: number | null;
  changed?: OptionalField[];
};

export type NewEvent = {
  type: AccountEventType;
  job_id?: string;
  job_seq?: number;
  status?: JobStatus;
  previous_status?: JobStatus | null;
  data?: EventData;
};

/**
 * Appends to the log of an account. Numbers come from its row of counters, locked until the commit: so `seq`
 * follows the order of commits without gaps. Call it last in a transaction, so that others wait for that row
 * as briefly as possible. Admission writes events the same way in its own statement.
 */
export async function appendEvents(
  trx: Trx,
  accountId: string,
  { actor, requestId, userId, apiKeyId, workerKeyId, addressHash }: Cause,
  events: readonly NewEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map((event, n) => ({ n: n + 1, id: newId(), message: eventMessages[event.type], ...event }));
  const { rows: appended } = await sql<{ seq: string }>`
    with counter as (
      update account_counters set last_event = last_event + ${events.length}
      where account_id = ${accountId}
      returning last_event - ${events.length} as before
    )
    insert into events (account_id, seq, id, type, job_id, job_seq, status, previous_status, message, data,
      actor, request_id, user_id, api_key_id, worker_key_id, address_hash)
    select ${accountId}, counter.before + e.n, e.id, e.type, e.job_id, e.job_seq, e.status, e.previous_status, e.message,
      e.data, ${actor}, ${requestId}, ${userId}, ${apiKeyId}, ${workerKeyId}, ${addressHash}
    from counter, json_to_recordset(${JSON.stringify(rows)}::json) as e (n int, id uuid, type text, job_id uuid,
      job_seq int, status text, previous_status text, message text, data jsonb)
    order by e.n
    returning seq`.execute(trx);
  if (appended.length !== events.length) throw new Error('An account has no counters.');
  announce(trx, accountId);
  return Number(appended.at(-1)?.seq);
}

type EventOfAccount = Pick<NewEvent, 'type' | 'data'> & { accountId: string };

/**
 * Appends to the logs of any number of accounts, like `appendEvents` to one. Counters are locked in the order
 * of accounts, as admission locks them.
 */
export async function appendToAccounts(
  trx: Trx,
  { actor, requestId, userId, apiKeyId, workerKeyId, addressHash }: Cause,
  events: readonly EventOfAccount[],
): Promise<void> {
  if (events.length === 0) return;
  const accountIds = [...new Set(events.map(({ accountId }) => accountId))];
  await sql`
    select from account_counters where account_id = any(${accountIds}::uuid[])
    order by account_id for no key update`.execute(trx);
  const rows = events.map(({ accountId, type, data }) => ({
    id: newId(),
    account_id: accountId,
    type,
    message: eventMessages[type],
    data,
  }));
  const { numAffectedRows } = await sql`
    with event as (
      select e.*, row_number() over (partition by e.account_id order by e.id) as place
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as e (id uuid, account_id uuid, type text, message text, data jsonb)
    ),
    counter as (
      update account_counters c set last_event = c.last_event + e.count
      from (select account_id, count(*) as count from event group by account_id) e
      where c.account_id = e.account_id
      returning c.account_id, c.last_event - e.count as before
    )
    insert into events (account_id, seq, id, type, message, data,
      actor, request_id, user_id, api_key_id, worker_key_id, address_hash)
    select e.account_id, counter.before + e.place, e.id, e.type, e.message, e.data,
      ${actor}, ${requestId}, ${userId}, ${apiKeyId}, ${workerKeyId}, ${addressHash}
    from event e join counter on counter.account_id = e.account_id`.execute(trx);
  if (Number(numAffectedRows) !== events.length) throw new Error('An account has no counters.');
  for (const accountId of accountIds) announce(trx, accountId);
}
