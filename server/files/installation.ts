import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/pool.ts';
import type { Storage } from './storage.ts';

type Dependencies = { db: Db; storage: Storage };
type Installation = {
  id: string;
  nonce: string;
  previousNonce: string | null;
  haltedUntil: Date | null;
  isCopy: boolean;
};

/** Days without sweeps after a restore, and days for which the trash keeps swept files. */
export const daysOfGrace = 14;

/** Why orphans may not be swept now. `expected`: nothing is wrong. */
export type Refused = { message: string; action: string; expected: boolean };

/** Identifies the database: the cluster, the database's number in it, and the schema. */
const here = sql`(
  select system_identifier || '/' || d.oid || '/' || current_schema()
  from pg_control_system(), pg_database d where d.datname = current_database())`;

/** Null if the database has no id yet. Read-only. */
async function readInstallation(db: Db): Promise<Installation | null> {
  const { rows } = await sql<Installation>`
    select id, nonce, previous_nonce as "previousNonce", outbound_off is not null as "isCopy",
      case when sweeps_halted_until > now() then sweeps_halted_until end as "haltedUntil"
    from installation where database = ${here}`.execute(db);
  return rows[0] ?? null;
}

/** A copied database has another cluster or number and gets an id of its own. */
export async function ensureInstallation(db: Db): Promise<Installation> {
  await sql`
    insert into installation (database) values (${here})
    on conflict (single) do update
    set id = excluded.id, nonce = excluded.nonce, previous_nonce = null,
      database = excluded.database, created_at = excluded.created_at
    where installation.database <> excluded.database`.execute(db);
  const installation = await readInstallation(db);
  if (!installation) throw new Error('The table installation is empty.');
  return installation;
}

/** The storage's owner object has a line per installation: its id and its nonce. */
const lineOf = ({ id, nonce }: { id: string; nonce: string | null }) => `${id} ${nonce}`;
const linesOf = (owner: string | null) => owner?.trim().split('\n') ?? [];

/** An interrupted sweep has written its nonce to the row but not yet to the object. */
const isOurs = (line: string, { id, nonce, previousNonce }: Installation) =>
  line === lineOf({ id, nonce }) || line === lineOf({ id, nonce: previousNonce });

async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.keysBefore(new Date(8.64e15))) return false;
  return true;
}

/** Checks that the storage belongs to this database. Read-only. */
export async function checkStorage({ db, storage }: Dependencies): Promise<Refused | null> {
  const owners = linesOf(await storage.readOwner());
  const own = await readInstallation(db); // after the object, because a sweep writes the row first
  if (owners.length === 0 && (await isEmpty(storage))) return own && halted(own);
  return judge(owners, own);
}

/**
 * Checks the same and claims a storage without files. In a storage of another installation it adds a line of
 * its own, which stops the sweeps of both: each would take the other's files for orphans. A copy adds none.
 *
 * `renew` writes a new nonce on both sides. A copied disk has the same id, but not the newer nonces.
 */
export async function claimStorage({ db, storage }: Dependencies, { renew = false } = {}): Promise<Refused | null> {
  const first = await ensureInstallation(db);
  if ((await storage.readOwner()) === null && (await isEmpty(storage)))
    await storage.writeOwner(lineOf(first), { replace: false });
  const owners = linesOf(await storage.readOwner());
  const own = await ensureInstallation(db); // after the object, because a sweep writes the row first
  if (!own.isCopy && owners.length > 0 && !owners.some((line) => isOurs(line, own)))
    await storage.writeOwner([...owners, lineOf(own)].join('\n'), { replace: true });
  const refused = judge(owners, own);
  if (renew && (refused === null || refused.expected)) await renewNonce({ db, storage }, owners.join());
  return refused;
}

/** The row first. At most one nonce is ahead of the object, so one previous nonce is enough. */
async function renewNonce({ db, storage }: Dependencies, line: string): Promise<void> {
  await sql`
    update installation set previous_nonce = nonce, nonce = gen_random_uuid()
    where id || ' ' || nonce = ${line}`.execute(db);
  await storage.writeOwner(lineOf(await ensureInstallation(db)), { replace: true });
}

function judge(owners: readonly string[], own: Installation | null): Refused | null {
  if (own && owners.length === 1 && owners.every((line) => isOurs(line, own))) return halted(own);
  return {
    message: `${whoseFiles(owners, own)} Orphans are not swept.`,
    action: 'Check DATABASE_URL and STORAGE_URL. If they belong together, run: npm run admin -- storage adopt',
    expected: false,
  };
}

function whoseFiles(owners: readonly string[], own: Installation | null): string {
  if (owners.length === 0) return 'The storage has files, but no record that they belong to this database.';
  const others = [...new Set(owners.map((line) => line.slice(0, line.indexOf(' '))))].filter((id) => id !== own?.id);
  if (own && others.length === 0) return `The storage is used by a copy of this database, with the same id ${own.id}.`;
  return `The storage is used by ${others.join(', ')}; this database ${own ? `is ${own.id}` : 'has no id yet'}.`;
}

function halted({ haltedUntil }: Installation): Refused | null {
  if (haltedUntil === null) return null;
  const message = `Orphans are not swept until ${haltedUntil.toISOString()}, because the logs were restarted.`;
  return { message, action: 'There is nothing to do.', expected: true };
}

/** Runs at the start. If the storage does not answer, the sweep tries again. */
export async function claimStorageAtStart({
  db,
  storage,
  log,
}: Dependencies & { log: FastifyBaseLogger }): Promise<void> {
  try {
    const refused = await claimStorage({ db, storage });
    if (refused) logRefused(log, refused);
  } catch (error) {
    log.error({ err: error }, 'could not check whose files the storage holds');
  }
}

export const logRefused = (log: FastifyBaseLogger, { message, action, expected }: Refused): void =>
  log[expected ? 'info' : 'error']({ action }, message);

/** Makes this database the owner of the storage, replacing any other. */
export async function adoptStorage({ db, storage }: Dependencies): Promise<string> {
  await ensureInstallation(db);
  await sql`update installation set previous_nonce = nonce, nonce = gen_random_uuid()`.execute(db);
  const own = await ensureInstallation(db);
  await storage.writeOwner(lineOf(own), { replace: true });
  return own.id;
}

/** After a restore, the storage may have files whose rows were lost. */
export async function haltSweeps(db: Db): Promise<void> {
  await ensureInstallation(db);
  await sql`
    update installation set sweeps_halted_until = now() + make_interval(days => ${daysOfGrace})`.execute(db);
}
