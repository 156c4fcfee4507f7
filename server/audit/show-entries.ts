import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { AuditEntry } from '../../contract/desk/audit.ts';
import type { Db } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import type { AuditRow } from './audit-entry.ts';

type Entry = Static<typeof AuditEntry>;

/** With the title of each job. The studio also reads the name of the account and why a quota was adjusted. */
export async function showEntries(db: Db, rows: AuditRow[], side: 'studio' | 'account'): Promise<Entry[]> {
  const entries = rows.map(showEntry);
  const subjects = entries.map(({ subject }) => subject ?? '');
  const accounts = side === 'studio' ? rows.flatMap(({ account_id: id }) => id ?? []) : [];
  const adjustments = entries.flatMap((entry) => adjustmentOf(entry) ?? []);
  const { rows: names } = await sql<{ id: string; name: string }>`
    select id, customer_title as name from jobs where id = any(${idsOf('job', subjects)}::uuid[])
    union all
    select id, name from accounts where id = any(${[...idsOf('acct', subjects), ...accounts]}::uuid[])
    union all
    select id, reason from quota_adjustments
    where account_id = any(${accounts}::uuid[]) and id = any(${adjustments}::uuid[])`.execute(db);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return entries.map((entry, n) => {
    const reason = nameOf.get(adjustmentOf(entry) ?? '');
    return {
      ...entry,
      account_name: (side === 'studio' && nameOf.get(rows[n]?.account_id ?? '')) || null,
      subject_name: nameOf.get(uuidOf(entry.subject ?? '') ?? '') ?? null,
      details: reason === undefined ? entry.details : { ...entry.details, reason },
    };
  });
}

const adjustmentOf = ({ details }: Pick<Entry, 'details'>) => readId('adj', String(details['quota_adjustment_id']));
const uuidOf = (id: string) => readId('job', id) ?? readId('acct', id);
const idsOf = (prefix: 'job' | 'acct', ids: string[]) => ids.flatMap((id) => readId(prefix, id) ?? []);

const showEntry = (row: AuditRow): Omit<Entry, 'account_name' | 'subject_name'> => ({
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

function showCredential({ user_id, api_key_id, worker_key_id, name, by_app }: AuditRow): Entry['created_by'] {
  if (api_key_id) return { kind: by_app ? 'app' : 'api_key', id: showId('key', api_key_id), name: name ?? '' };
  if (worker_key_id) return { kind: 'worker_key', id: showId('wkey', worker_key_id), name: name ?? '' };
  return user_id ? { kind: 'user', id: showId('user', user_id), name: name ?? '' } : null;
}
