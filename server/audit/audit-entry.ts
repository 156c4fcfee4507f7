import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/desk/audit.ts';
import type { Position } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import { readId } from '../lib/id.ts';

type Entry = Static<typeof AuditEntry>;

/** Filters for entries. Ids are public ids; what they name may be gone. */
export type AuditFilter = {
  accountId?: string | null | undefined;
  action?: Entry['action'][] | undefined;
  actor?: Entry['actor'] | undefined;
  created_by?: string | undefined;
  subject?: string | undefined;
  request_id?: string | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  without?: readonly string[];
  provider_noise?: boolean | undefined;
};

export type AuditRow = {
  id: string;
  is_event: boolean;
  account_id: string | null;
  action: Entry['action'];
  actor: Entry['actor'];
  job_id: string | null;
  subject: string | null;
  details: Record<string, unknown> | null;
  user_id: string | null;
  api_key_id: string | null;
  worker_key_id: string | null;
  name: string | null;
  by_app: boolean;
  address_hash: string | null;
  request_id: string;
  created_at: Date;
};

/** Looks back further until a page is full: finds the newest entries without sorting all. */
const lookBack = [1, 24, 24 * 30, null];

export async function auditRows(
  db: Db,
  filter: AuditFilter,
  from: Position | null,
  limit: number,
): Promise<AuditRow[]> {
  let rows: AuditRow[] = [];
  const accountId = filter.accountId === undefined ? await accountNamedBy(db, filter) : filter.accountId;
  for (const hours of hasIndex(filter) ? [null] : lookBack) {
    ({ rows } = await entriesSince(filter, accountId, from, limit, hours).execute(db));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** Whether an index finds the matches in the order of time. Without one, the newest entries are searched. */
const hasIndex = (filter: AuditFilter): boolean => namesFew(filter) || leadOf(filter) !== null;

const namesFew = ({ accountId, subject, request_id }: AuditFilter): boolean =>
  [accountId, subject, request_id].some((value) => value !== undefined);

type Lead = 'action' | 'actor' | 'account_id' | 'user_id' | 'worker_key_id';

/**
 * The column by which rows are looked up and ordered first. Postgres thinks that a column of few values has
 * each of them often, and would look through all rows by time for one that it does not have.
 */
function leadOf(filter: AuditFilter): Lead | null {
  const { created_by, actor, action } = filter;
  if (namesFew(filter)) return null;
  if (created_by !== undefined)
    return readId('key', created_by) ? 'account_id' : readId('wkey', created_by) ? 'worker_key_id' : 'user_id';
  if (action?.length === 1 && action[0] !== 'job.created') return 'action';
  return actor !== undefined && actor !== 'customer' ? 'actor' : null;
}

/**
 * The account of what a filter names, because events are found by their account. Null if nothing has that id.
 * Of a deleted webhook endpoint only the audit is left.
 */
async function accountNamedBy(db: Db, { subject = '', created_by = '' }: AuditFilter) {
  const [job, file] = [readId('job', subject), readId('file', subject)];
  const key = readId('key', subject) ?? readId('key', created_by);
  if ([job, file, key, readId('hook', subject)].every((id) => id === null)) return undefined;
  const { rows } = await sql<{ account_id: string | null }>`
    select coalesce((select account_id from jobs where id = ${job}), (select account_id from files where id = ${file}),
      (select account_id from api_keys where id = ${key}),
      (select account_id from audit_log where subject = ${subject} and account_id is not null limit 1)) as account_id`.execute(
    db,
  );
  return rows[0]?.account_id ?? null;
}

/** One statement over both logs. Each returns up to a full page. */
function entriesSince(
  filter: AuditFilter,
  accountOfEvents: string | null | undefined,
  from: Position | null,
  limit: number,
  hours: number | null,
): RawBuilder<AuditRow> {
  const { accountId, actor, created_by, action, request_id, created_after, created_before, without = [] } = filter;
  const lead = leadOf(filter);
  const until = sql`least(coalesce(${from?.at ?? null}::timestamptz, 'infinity'), coalesce(${created_before ?? null}::timestamptz, now()))`;
  const shared = (log: string, name: string) => sql`true
    ${hours === null ? sql`` : sql`and ${sql.ref(`${log}.created_at`)} >= ${until} - make_interval(hours => ${hours})`}
    ${created_after === undefined ? sql`` : sql`and ${sql.ref(`${log}.created_at`)} >= ${created_after}::timestamptz`}
    ${created_before === undefined ? sql`` : sql`and ${sql.ref(`${log}.created_at`)} < ${created_before}::timestamptz`}
    ${from === null ? sql`` : sql`and (${sql.ref(`${log}.created_at`)}, ${sql.ref(`${log}.id`)}) < (${from.at}, ${from.id}::uuid)`}
    ${actor === undefined ? sql`` : sql`and ${equals(sql.ref(`${log}.actor`), actor, lead === 'actor')}`}
    ${actor === undefined || actor === 'customer' ? sql`` : sql`and ${sql.ref(`${log}.actor`)} <> 'customer'`}
    ${request_id === undefined ? sql`` : sql`and ${sql.ref(`${log}.request_id`)} = ${request_id}`}
    ${created_by === undefined ? sql`` : sql`and ${credential(log, created_by, lead)}`}
    and ${sql.ref(`${log}.${name}`)} <> all(${without})
    ${action === undefined ? sql`` : hasAction(sql.ref(`${log}.${name}`), action, lead)}`;
  const first = (log: string, name: string) =>
    lead === null ? sql`` : sql`${sql.ref(`${log}.${lead === 'action' ? name : lead}`)}, `;
  return sql<AuditRow>`
    with told as (
      (select v.id, true as is_event, v.account_id, v.type as action, v.actor, v.job_id,
        coalesce(v.data->>'api_key_id', v.data->>'webhook_endpoint_id', v.data->>'plan_code') as subject, v.data - 'words' as details,
        v.user_id, v.api_key_id, v.worker_key_id, v.address_hash, v.request_id, v.created_at
      from events v
      where ${shared('v', 'type')} ${ofAccount('v', accountOfEvents, lead)} ${filter.subject === undefined ? sql`` : sql`and ${ofEvent(filter.subject)}`}
      order by ${first('v', 'type')}v.created_at desc, v.id desc limit ${limit})
      union all
      (select l.id, false, l.account_id, l.action, l.actor, null, l.subject, l.details,
        l.user_id, l.api_key_id, l.worker_key_id, l.address_hash, l.request_id, l.created_at
      from audit_log l
      where ${shared('l', 'action')} ${filter.provider_noise === false ? sql`and ${isNoNoise}` : sql``} ${ofAccount('l', lead === 'account_id' ? accountOfEvents : accountId, lead)} ${filter.subject === undefined ? sql`` : sql`and l.subject = ${filter.subject}`}
      order by ${first('l', 'action')}l.created_at desc, l.id desc limit ${limit})
    )
    select t.*, coalesce((select name from people where id = t.user_id), (select name from api_keys where id = t.api_key_id),
        (select name from worker_keys where id = t.worker_key_id)) as name,
      coalesce((select app_client_id is not null from api_keys where id = t.api_key_id), false) as by_app
    from told t
    order by t.created_at desc, t.id desc limit ${limit}`;
}

/** The provider sends events of all types, each time that anything happens to a payment. */
const isNoNoise = sql`not (l.action = 'provider_event.ignored' and l.details ->> 'reason' = 'unsupported type')`;

/** With a list, Postgres keeps the column in the order, and only the index of the column has that order. */
const equals = (column: RawBuilder<unknown>, value: string | null | undefined, leads: boolean) =>
  leads ? sql`${column} = any(${[value]})` : sql`${column} = ${value}`;

/** The literals let Postgres use indexes that leave out what nearly every event has. */
const hasAction = (column: RawBuilder<unknown>, actions: string[], lead: Lead | null) =>
  actions.length > 1
    ? sql`and ${column} = any(${actions}::text[])`
    : sql`and ${equals(column, actions[0], lead === 'action')} ${actions[0] === 'job.created' ? sql`` : sql`and ${column} <> 'job.created'`}`;

const ofAccount = (log: string, accountId: string | null | undefined, lead: Lead | null) =>
  accountId === undefined ? sql`` : sql`and ${equals(sql.ref(`${log}.account_id`), accountId, lead === 'account_id')}`;

function credential(log: string, id: string, lead: Lead | null) {
  const key = readId('key', id);
  if (key !== null) return sql`${sql.ref(`${log}.api_key_id`)} = ${key}`;
  const worker = readId('wkey', id);
  if (worker !== null) return equals(sql.ref(`${log}.worker_key_id`), worker, lead === 'worker_key_id');
  return equals(sql.ref(`${log}.user_id`), readId('user', id), lead === 'user_id');
}

function ofEvent(subject: string) {
  const job = readId('job', subject);
  return job === null
    ? sql`${subject} in (v.data->>'api_key_id', v.data->>'webhook_endpoint_id', v.data->>'file_id')`
    : sql`v.job_id = ${job}`;
}
