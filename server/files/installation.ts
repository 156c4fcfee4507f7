import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

type Parts = { db: Db; storage: Storage };
type Installation = { id: string; haltedUntil: Date | null };

/** Days without sweeps after a restore, and the days that the trash keeps what was swept. */
export const daysOfGrace = 14;

/** Why no orphan may be swept now; `expected` says that this is as it should be. */
export type Refused = { message: string; action: string; expected: boolean };

/** A copy has another cluster or another number there, and becomes an installation of its own. */
async function readInstallation(db: Db): Promise<Installation> {
  await sql`
    insert into installation (database)
    select system_identifier || '/' || d.oid
    from pg_control_system(), pg_database d where d.datname = current_database()
    on conflict (single) do update
    set id = excluded.id, database = excluded.database, created_at = excluded.created_at
    where installation.database <> excluded.database`.execute(db);
  const { rows } = await sql<Installation>`
    select id, case when sweeps_halted_until > now() then sweeps_halted_until end as "haltedUntil"
    from installation`.execute(db);
  if (!rows[0]) throw new Error('The installation has no row.');
  return rows[0];
}

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.keysBefore(new Date(8.64e15))) return false;
  return true;
}

/**
 * Finds out whether the files of the storage are those of this database. A storage without files becomes ours. In one of
 * another installation we leave our id beside the other, so that its sweeps stop, too: it would take our files for orphans.
 */
export async function claimStorage({ db, storage }: Parts): Promise<Refused | null> {
  const { id, haltedUntil } = await readInstallation(db);
  if ((await storage.readOwner()) === null && (await isEmpty(storage)))
    await storage.writeOwner(id, { replace: false });
  const owners = (await storage.readOwner())?.trim().split('\n') ?? [];
  if (owners.length > 0 && !owners.includes(id))
    await storage.writeOwner([...owners, id].join('\n'), { replace: true });
  if (owners.join() !== id)
    return {
      message:
        owners.length === 0
          ? 'The storage holds files, and nothing says that they belong to this database. No orphan is swept.'
          : `The storage is used by ${owners.filter((owner) => owner !== id).join(', ')}; this database is ${id}. No orphan is swept.`,
      action: 'Check DATABASE_URL and STORAGE_URL. If they belong together, run: npm run admin -- storage adopt',
      expected: false,
    };
  if (haltedUntil === null) return null;
  const message = `No orphan is swept until ${haltedUntil.toISOString()}, because the logs were restarted.`;
  return { message, action: 'There is nothing to do.', expected: true };
}

/** At the start. A storage that does not answer is asked again by the sweep. */
export async function claimStorageAtStart({ db, storage, log }: Parts & { log: FastifyBaseLogger }): Promise<void> {
  try {
    const refused = await claimStorage({ db, storage });
    if (refused) logRefused(log, refused);
  } catch (error) {
    log.error({ err: error }, 'the storage could not be asked whose files it holds');
  }
}

export const logRefused = (log: FastifyBaseLogger, { message, action, expected }: Refused): void =>
  log[expected ? 'info' : 'error']({ action }, message);

/** The files of the storage are those of this database, whatever was written there before. */
export async function adoptStorage({ db, storage }: Parts): Promise<string> {
  const { id } = await readInstallation(db);
  await storage.writeOwner(id, { replace: true });
  return id;
}

/** After a restore files may lie in the storage whose rows were lost. */
export async function haltSweeps(db: Db): Promise<void> {
  await readInstallation(db);
  await sql`
    update installation set sweeps_halted_until = now() + make_interval(days => ${daysOfGrace})`.execute(db);
}
