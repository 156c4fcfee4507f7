import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { version } from '../lib/version.ts';
import type { Line } from './run-checks.ts';

/** Examinations that are kept, of those by the service and of the daily ones. */
const most = 3;

/** One that was asked for or began so long ago has died with its process. */
const patience = sql`interval '10 minutes'`;

export type Examination = { ended_at: Date; findings: Line[] };

export async function readNewest(db: Db, { dailyOnly }: { dailyOnly: boolean }): Promise<Examination | null> {
  const { rows } = await sql<Examination>`
    select ended_at, findings from examinations where ended_at is not null and (daily or not ${dailyOnly})
    order by ended_at desc, id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function isExamining(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from examinations
    where ended_at is null and greatest(requested_at, started_at) > now() - ${patience}`.execute(db);
  return rows.length > 0;
}

/** Returns when it was asked for: the one that is under way, or a new one. */
export async function requestExamination(trx: Trx): Promise<Date> {
  const { rows } = await sql<{ requested_at: Date }>`
    insert into examinations as e (id) values (${newId()})
    on conflict ((ended_at is null)) where ended_at is null do update
    set requested_at = case when greatest(e.requested_at, e.started_at) > excluded.requested_at - ${patience}
      then e.requested_at else excluded.requested_at end
    returning requested_at`.execute(trx);
  if (!rows[0]) throw new Error('An examination was neither found nor made.');
  return rows[0].requested_at;
}

/** The id of the one to begin: asked for, left by a dead process, or due an hour after the one before. */
export async function beginExamination(db: Db): Promise<string | null> {
  await sql`
    insert into examinations (id)
    select ${newId()}::uuid from installation i
    where greatest(i.created_at, (select max(requested_at) from examinations)) < now() - interval '1 hour'
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: string }>`
    update examinations set started_at = now()
    where ended_at is null and (started_at is null or started_at < now() - ${patience})
    returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** For another process, because this one stops. */
export const returnExamination = (db: Db, id: string) =>
  sql`update examinations set started_at = null where id = ${id} and ended_at is null`.execute(db);

export async function endExamination(db: Db, id: string, findings: readonly Line[]): Promise<void> {
  await sql`
    update examinations set ended_at = now(), version = ${version}, findings = ${JSON.stringify(findings)}::jsonb
    where id = ${id} and ended_at is null`.execute(db);
  await deleteOld(db);
}

export async function storeDaily(trx: Trx, findings: readonly Line[]): Promise<void> {
  await sql`
    insert into examinations (id, daily, started_at, ended_at, version, findings)
    values (${newId()}, true, now(), now(), ${version}, ${JSON.stringify(findings)}::jsonb)`.execute(trx);
  await deleteOld(trx);
}

const deleteOld = (db: Db | Trx) =>
  sql`
    delete from examinations where id in (
      select id from (
        select id, row_number() over (partition by daily order by ended_at desc, id desc) as place
        from examinations where ended_at is not null) ended
      where place > ${most})`.execute(db);
