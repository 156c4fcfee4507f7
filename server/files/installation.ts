import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

type Parts = { db: Db; storage: Storage };
type Installation = { id: string; nonce: string; previousNonce: string | null; haltedUntil: Date | null };

/** Days without sweeps after a restore, and the days that the trash keeps what was swept. */
export const daysOfGrace = 14;

/** Why no orphan may be swept now; `expected` says that this is as it should be. */
export type Refused = { message: string; action: string; expected: boolean };

/** The cluster and the number of the database in it. */
const here = sql`(
  select system_identifier || '/' || d.oid
  from pg_control_system(), pg_database d where d.datname = current_database())`;

/** Null where the database has no id of its own yet. Writes nothing. */
async function readInstallation(db: Db): Promise<Installation | null> {
  const { rows } = await sql<Installation>`
    select id, nonce, previous_nonce as "previousNonce",
      case when sweeps_halted_until > now() then sweeps_halted_until end as "haltedUntil"
    from installation where database = ${here}`.execute(db);
  return rows[0] ?? null;
}

/** A copy has another cluster or another number there, and becomes an installation of its own. */
async function ensureInstallation(db: Db): Promise<Installation> {
  await sql`
    insert into installation (database) values (${here})
    on conflict (single) do update
    set id = excluded.id, nonce = excluded.nonce, previous_nonce = null,
      database = excluded.database, created_at = excluded.created_at
    where installation.database <> excluded.database`.execute(db);
  const installation = await readInstallation(db);
  if (!installation) throw new Error('The installation has no row.');
  return installation;
}

/** The object has a line for each installation: its id and its nonce. */
const lineOf = ({ id, nonce }: { id: string; nonce: string | null }) => `${id} ${nonce}`;
const linesOf = (owner: string | null) => owner?.trim().split('\n') ?? [];

/** A sweep that was interrupted has written its nonce to the row and not to the object. */
const isOurs = (line: string, { id, nonce, previousNonce }: Installation) =>
  line === lineOf({ id, nonce }) || line === lineOf({ id, nonce: previousNonce });

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.keysBefore(new Date(8.64e15))) return false;
  return true;
}

/** Whether the files of the storage are those of this database. Writes nothing. */
export async function checkStorage({ db, storage }: Parts): Promise<Refused | null> {
  const owners = linesOf(await storage.readOwner());
  const own = await readInstallation(db); // after the object: a sweep writes the row first
  if (owners.length === 0 && (await isEmpty(storage))) return own && halted(own);
  return judge(owners, own);
}

/**
 * Finds out the same. A storage without files becomes ours. In one of another installation we leave our line beside the
 * other, so that its sweeps stop, too: it would take our files for orphans.
 *
 * `renew` writes a fresh nonce on both sides. The copy of a disk has our id, but not the nonces that came after it.
 */
export async function claimStorage({ db, storage }: Parts, { renew = false } = {}): Promise<Refused | null> {
  const first = await ensureInstallation(db);
  if ((await storage.readOwner()) === null && (await isEmpty(storage)))
    await storage.writeOwner(lineOf(first), { replace: false });
  const owners = linesOf(await storage.readOwner());
  const own = await ensureInstallation(db); // after the object: a sweep writes the row first
  if (owners.length > 0 && !owners.some((line) => isOurs(line, own)))
    await storage.writeOwner([...owners, lineOf(own)].join('\n'), { replace: true });
  const refused = judge(owners, own);
  if (renew && (refused === null || refused.expected)) await renewNonce({ db, storage }, owners.join());
  return refused;
}

/** The row first. Where its nonce is not in the object yet, no further one is made, so the previous one is enough. */
async function renewNonce({ db, storage }: Parts, line: string): Promise<void> {
  await sql`
    update installation set previous_nonce = nonce, nonce = gen_random_uuid()
    where id || ' ' || nonce = ${line}`.execute(db);
  await storage.writeOwner(lineOf(await ensureInstallation(db)), { replace: true });
}

function judge(owners: readonly string[], own: Installation | null): Refused | null {
  if (own && owners.length === 1 && owners.every((line) => isOurs(line, own))) return halted(own);
  return {
    message: `${whoseFiles(owners, own)} No orphan is swept.`,
    action: 'Check DATABASE_URL and STORAGE_URL. If they belong together, run: npm run admin -- storage adopt',
    expected: false,
  };
}

function whoseFiles(owners: readonly string[], own: Installation | null): string {
  if (owners.length === 0) return 'The storage holds files, and nothing says that they belong to this database.';
  const others = [...new Set(owners.map((line) => line.slice(0, line.indexOf(' '))))].filter((id) => id !== own?.id);
  if (own && others.length === 0) return `The storage is used by a copy of this database, with the same id ${own.id}.`;
  return `The storage is used by ${others.join(', ')}; this database ${own ? `is ${own.id}` : 'has no id yet'}.`;
}

function halted({ haltedUntil }: Installation): Refused | null {
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
  await ensureInstallation(db);
  await sql`update installation set previous_nonce = nonce, nonce = gen_random_uuid()`.execute(db);
  const own = await ensureInstallation(db);
  await storage.writeOwner(lineOf(own), { replace: true });
  return own.id;
}

/** After a restore files may lie in the storage whose rows were lost. */
export async function haltSweeps(db: Db): Promise<void> {
  await ensureInstallation(db);
  await sql`
    update installation set sweeps_halted_until = now() + make_interval(days => ${daysOfGrace})`.execute(db);
}
