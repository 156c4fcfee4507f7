import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/audit.ts';
import type { Position } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';

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
  address_hash: string | null;
  request_id: string;
  created_at: Date;
};

/** Looks back further until a page is full: finds the newest entries without sorting all. */
const lookBack = [1, 24, 24 * 30, 24 * 366 * 100];

export async function auditRows(
  db: Db,
  filter: AuditFilter,
  from: Position | null,
  limit: number,
): Promise<AuditRow[]> {
  let rows: AuditRow[] = [];
  for (const hours of lookBack) {
    ({ rows } = await entriesSince(filter, from, limit, hours).execute(db));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** One statement over both logs. Each returns up to a full page. */
function entriesSince(filter: AuditFilter, from: Position | null, limit: number, hours: number): RawBuilder<AuditRow> {
  const { accountId, actor, created_by, action, request_id, created_after, created_before, without = [] } = filter;
  const until = sql`least(coalesce(${from?.at ?? null}::timestamptz, 'infinity'), coalesce(${created_before ?? null}::timestamptz, now()))`;
  const shared = (log: string, name: string) => sql`
    ${sql.ref(`${log}.created_at`)} >= ${until} - make_interval(hours => ${hours})
    and ${sql.ref(`${log}.created_at`)} >= coalesce(${created_after ?? null}::timestamptz, '-infinity')
    and ${sql.ref(`${log}.created_at`)} < coalesce(${created_before ?? null}::timestamptz, 'infinity')
    ${from === null ? sql`` : sql`and (${sql.ref(`${log}.created_at`)}, ${sql.ref(`${log}.id`)}) < (${from.at}, ${from.id}::uuid)`}
    ${accountId === undefined ? sql`` : sql`and ${sql.ref(`${log}.account_id`)} = ${accountId}`}
    ${actor === undefined ? sql`` : sql`and ${sql.ref(`${log}.actor`)} = ${actor}`}
    ${request_id === undefined ? sql`` : sql`and ${sql.ref(`${log}.request_id`)} = ${request_id}`}
    ${created_by === undefined ? sql`` : sql`and ${credential(log, created_by)}`}
    and ${sql.ref(`${log}.${name}`)} <> all(${without})
    and (${action ?? null}::text[] is null or ${sql.ref(`${log}.${name}`)} = any(${action ?? null}))`;
  return sql<AuditRow>`
    with told as (
      (select v.id, true as is_event, v.account_id, v.type as action, v.actor, v.job_id,
        coalesce(v.data->>'api_key_id', v.data->>'webhook_endpoint_id', v.data->>'plan_code') as subject, v.data as details,
        v.user_id, v.api_key_id, v.worker_key_id, v.address_hash, v.request_id, v.created_at
      from events v
      where ${shared('v', 'type')} ${filter.subject === undefined ? sql`` : sql`and ${ofEvent(filter.subject)}`}
      order by v.created_at desc, v.id desc limit ${limit})
      union all
      (select l.id, false, l.account_id, l.action, l.actor, null, l.subject, l.details,
        l.user_id, l.api_key_id, l.worker_key_id, l.address_hash, l.request_id, l.created_at
      from audit_log l
      where ${shared('l', 'action')} ${filter.subject === undefined ? sql`` : sql`and l.subject = ${filter.subject}`}
      order by l.created_at desc, l.id desc limit ${limit})
    )
    select t.*, coalesce(u.name, k.name, w.name) as name
    from told t
    left join auth.user u on u.id = t.user_id
    left join api_keys k on k.id = t.api_key_id
    left join worker_keys w on w.id = t.worker_key_id
    order by t.created_at desc, t.id desc limit ${limit}`;
}

const credential = (log: string, id: string) => sql`(${sql.ref(`${log}.user_id`)} = ${readId('user', id)}
  or ${sql.ref(`${log}.api_key_id`)} = ${readId('key', id)}
  or ${sql.ref(`${log}.worker_key_id`)} = ${readId('wkey', id)})`;

const ofEvent = (subject: string) => sql`(v.job_id = ${readId('job', subject)}
  or ${subject} in (v.data->>'api_key_id', v.data->>'webhook_endpoint_id', v.data->>'file_id'))`;

export const showAuditEntry = (row: AuditRow): Entry => ({
  id: showId(row.is_event ? 'evt' : 'aud', row.id),
  action: row.action,
  actor: row.actor,
  created_by: showCredential(row),
  account_id: row.account_id && showId('acct', row.account_id),
  subject: row.job_id === null ? row.subject : showId('job', row.job_id),
  details: row.details ?? {},
  request_id: row.request_id,
  address: row.address_hash,
  created_at: row.created_at.toISOString(),
});

function showCredential({ user_id, api_key_id, worker_key_id, name }: AuditRow): Entry['created_by'] {
  if (api_key_id) return { kind: 'api_key', id: showId('key', api_key_id), name: name ?? '' };
  if (worker_key_id) return { kind: 'worker_key', id: showId('wkey', worker_key_id), name: name ?? '' };
  return user_id ? { kind: 'user', id: showId('user', user_id), name: name ?? '' } : null;
}
