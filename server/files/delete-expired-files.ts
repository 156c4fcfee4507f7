import { sql } from 'kysely';
import { endedStatuses } from '../../contract/moves.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import { byService } from '../http/request.ts';
import { type Db, transact } from '../db/pool.ts';
import { unsharedKeys, uploadKey } from './file.ts';
import { checkStorage, isOwn } from './installation.ts';
import type { Storage } from './storage.ts';

const hoursToComplete = 24;
const atOnce = 500;

/**
 * Expires uploads that were never completed and deletes bytes after their retention. Rows are marked before
 * bytes are deleted, each by one process, so this is safe to repeat and to kill: the sweep deletes what is
 * left. Deletes nothing in a storage of another installation.
 */
export async function deleteExpiredFiles(db: Db, storage: Storage, stopped: AbortSignal): Promise<void> {
  const mayRemove = isOwn(await checkStorage({ db, storage }));
  for (const { find, mark } of [unfinished, outlived])
    for (let marked = -1; marked !== 0 && !stopped.aborted;) {
      marked = 0;
      const { rows } = await find.execute(db);
      for (const [accountId, files] of Map.groupBy(rows, ({ account_id }) => account_id)) {
        if (stopped.aborted) return;
        const keys = await mark(
          db,
          accountId,
          files.map(({ id }) => id),
        );
        marked += keys.length;
        if (mayRemove) for (const key of await unsharedKeys(db, keys)) await storage.remove(key);
      }
    }
}

type Candidate = { account_id: string; id: string };

const isUnfinished = sql`f.status = 'pending_upload' and f.created_at <= now() - make_interval(hours => ${hoursToComplete})`;

/** Retention counts from the end of the job or the upload. Brand kit and templates keep theirs. */
const isOutlived = sql`f.status = 'uploaded'
  and (f.uploaded_at at time zone 'UTC') + make_interval(days => f.retention_days) <= now() at time zone 'UTC'
  and (f.brand_position is null or f.job_id is not null) and f.template_id is null
  and (j.id is null or (j.status = any(${[...endedStatuses]})
    and j.status_changed_at + f.retention_days * interval '24 hours' <= now()))`;

const unfinished = {
  find: sql<Candidate>`select f.account_id, f.id from files f where ${isUnfinished} order by f.id limit ${atOnce}`,
  mark: markUnfinished,
};

const outlived = {
  find: sql<Candidate>`
    select f.account_id, f.id from files f left join jobs j on j.account_id = f.account_id and j.id = f.job_id
    where ${isOutlived} order by f.id limit ${atOnce}`,
  mark: markOutlived,
};

/** Returns the keys at which bytes may have arrived. */
async function markUnfinished(db: Db, accountId: string, ids: readonly string[]): Promise<string[]> {
  return transact(db, async (trx) => {
    const { rows } = await sql<{ account_id: string; id: string; content_type: string }>`
    update files set status = 'expired' where account_id = ${accountId} and id in (
      select f.id from files f where f.account_id = ${accountId} and f.id = any(${ids}::uuid[]) and ${isUnfinished}
      order by f.id for update skip locked)
    returning account_id, id, content_type`.execute(trx);
    await appendAudit(trx, byService(), ...rows.map((file) => auditEntry('file.upload_expired', file)));
    return rows.map(uploadKey);
  });
}

type Outlived = Candidate & { object_key: string; poster_key: string | null; viewing_key: string | null };

async function markOutlived(db: Db, accountId: string, ids: readonly string[]): Promise<string[]> {
  return transact(db, async (trx) => {
    const { rows } = await sql<Outlived>`
    update files set status = 'deleted', deleted_at = now() where account_id = ${accountId} and id in (
      select f.id from files f left join jobs j on j.account_id = ${accountId} and j.id = f.job_id
      where f.account_id = ${accountId} and f.id = any(${ids}::uuid[]) and ${isOutlived}
      order by f.id for update of f skip locked)
    returning account_id, id, object_key, poster_key, viewing_key`.execute(trx);
    await appendAudit(trx, byService(), ...rows.map((file) => auditEntry('file.deleted', file)));
    return rows.flatMap(({ object_key, poster_key, viewing_key }) =>
      [object_key, poster_key ?? [], viewing_key ?? []].flat(),
    );
  });
}

const auditEntry = (
  action: 'file.upload_expired' | 'file.deleted',
  { account_id, id }: { account_id: string; id: string },
) => ({
  action,
  subject: showId('file', id),
  accountId: account_id,
});
