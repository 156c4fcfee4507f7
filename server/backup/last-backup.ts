import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import { byService } from '../http/request.ts';

/** Hours after which a daily backup is missing: each may end two hours later than the one before. */
export const oldAfterHours = 26;
/** After which one should have been verified again. */
export const unverifiedAfterHours = 8 * 24;

/** The longest text that the audit can be searched for. */
const mostOfName = 100;

/**
 * Once the backup is complete, so that what is restored from it does not have this record. `name`: of its
 * folder, or of the tools that made it.
 */
export async function recordBackup(db: Db, name: string, { restored }: { restored: boolean }): Promise<void> {
  const entry = {
    action: 'backup.recorded',
    subject: name.slice(0, mostOfName),
    accountId: null,
    details: { restored },
  } as const;
  await transact(db, (trx) => appendAudit(trx, byService(), entry));
}

/** In epoch seconds. `verified`: restored and checked. `began`: the first start on this database. */
export type LastBackup = { recorded: number | null; verified: number | null; began: number | null; now: number };

export async function readLastBackup(db: Db): Promise<LastBackup> {
  const { rows } = await sql<LastBackup>`
    select extract(epoch from now())::float8 as now,
      (select extract(epoch from created_at)::float8 from installation) as began,
      (select extract(epoch from created_at)::float8 from audit_log where action = 'backup.recorded'
        order by created_at desc, id desc limit 1) as recorded,
      (select extract(epoch from created_at)::float8 from audit_log where action = 'backup.recorded'
        and details->>'restored' = 'true' order by created_at desc, id desc limit 1) as verified`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('A select without a table returns one row.');
  return row;
}
