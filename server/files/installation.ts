import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { nameOf, type StorageConfig } from './storage-config.ts';
import type { Storage } from './storage.ts';

type Dependencies = { db: Db; storage: Storage };
type Installation = {
  id: string;
  nonce: string;
  previousNonce: string | null;
  haltedUntil: Date | null;
  outboundOff: 'copy' | 'setting' | null;
  move: Move | null;
};
/** The files are moved. `switched_at`: since when all processes name the new storage in STORAGE_URL. */
export type Move = { from: StorageConfig; to: StorageConfig; since: string; switched_at: string | null };

/** Days without sweeps after a restore, and days for which the trash keeps swept files. */
export const daysOfGrace = 14;

/**
 * Why orphans may not be swept now. `expected`: nothing is wrong. `unusable`: the files of this database are
 * not there, so that nothing is written and nothing can be read.
 */
export type Refused = { message: string; action: string; expected: boolean; unusable?: true };

export const nothingToDo = 'There is nothing to do.';

/** Whether the storage is that of this database, and of no other: its files may be written and deleted. */
export const isOwn = (refused: Refused | null): boolean => refused === null || refused.expected;

/** Identifies the database: the cluster, the database's number in it, and the schema. */
export const databaseIdentity = sql`(
  select system_identifier || '/' || d.oid || '/' || current_schema()
  from pg_control_system(), pg_database d where d.datname = current_database())`;

/** Null if the database has no id yet. Read-only. */
async function readInstallation(db: Db | Trx): Promise<Installation | null> {
  const { rows } = await sql<Installation>`
    select id, nonce, previous_nonce as "previousNonce", outbound_off as "outboundOff", move,
      case when sweeps_halted_until > now() then sweeps_halted_until end as "haltedUntil"
    from installation where database = ${databaseIdentity}`.execute(db);
  return rows[0] ?? null;
}

export const readMove = async (db: Db): Promise<Move | null> => (await readInstallation(db))?.move ?? null;

/** By `restore --as-copy`. A disk copied by other means has the id of its original. */
export const isRestoredCopy = async (db: Db): Promise<boolean> => (await readInstallation(db))?.outboundOff === 'copy';

/** A copied database has another cluster or number and gets an id of its own. */
export async function ensureInstallation(db: Db | Trx): Promise<Installation> {
  await sql`
    insert into installation (database) values (${databaseIdentity})
    on conflict (single) do update
    set id = excluded.id, nonce = excluded.nonce, previous_nonce = null, move = null,
      database = excluded.database, created_at = excluded.created_at
    where installation.database <> excluded.database`.execute(db);
  const installation = await readInstallation(db);
  if (!installation) throw new Error('The table installation is empty.');
  return installation;
}

/** The storage's owner object has a line per installation: its id and its nonce. */
export const lineOf = ({ id, nonce }: { id: string; nonce: string | null }) => `${id} ${nonce}`;
export const linesOf = (owner: string | null) => owner?.split('\n').filter(Boolean) ?? [];

/** In place of the nonce, in the storage that the files have left. */
export const movedLine = ({ id }: Installation) => `${id} moved`;

/** An interrupted sweep has written its nonce to the row but not yet to the object. */
export const isOurs = (line: string, { id, nonce, previousNonce }: Installation) =>
  line === lineOf({ id, nonce }) || line === lineOf({ id, nonce: previousNonce });

export async function isEmpty(storage: Storage): Promise<boolean> {
  for await (const _ of storage.keysBefore(new Date(8.64e15))) return false;
  return true;
}

/** Uploaded files that the storage of this database has, the newest first. */
export async function newestFiles(db: Db | Trx): Promise<{ id: string; object_key: string }[]> {
  const { rows } = await sql<{ id: string; object_key: string }>`
    select id, object_key from files where status = 'uploaded' order by id desc limit 10`.execute(db);
  return rows;
}

/** An empty storage, such as the folder of a disk that is not mounted, while the database has files. */
export async function refuseEmpty({ db, storage }: Dependencies): Promise<Refused | null> {
  const isLost = (await isEmpty(storage)) && (await newestFiles(db)).length > 0;
  return isLost ? unusable('The storage is empty.', true, ' --empty') : null;
}

/**
 * Neither a line of this database nor one of its newest files: it is another storage. A database that never
 * claimed one and has no files may use any.
 */
async function refuseUnusable(db: Db | Trx, storage: Storage, owners: readonly string[], own: Installation | null) {
  if (own && owners.some((line) => isOurs(line, own))) return null;
  if (own && owners.includes(movedLine(own))) return movedAway;
  const files = await newestFiles(db);
  const objects = await Promise.all(files.map(({ object_key }) => storage.measure(object_key)));
  if (objects.some((object) => object !== null)) return null;
  const isBound = own !== null && own.previousNonce !== null && !owners.some((line) => line.startsWith(`${own.id} `));
  if (files.length === 0 && !isBound) return null;
  const wasEmpty = await isEmpty(storage);
  const seen = wasEmpty ? 'The storage is empty.' : whoseFiles(owners, own);
  return unusable(seen, files.length > 0, wasEmpty ? ' --empty' : '');
}

export const movedAway: Refused = {
  message: 'The files of this database were moved to another storage: uploads and downloads are refused.',
  action: 'Name that storage in STORAGE_URL, and start again. To come back, move them: npm run admin -- storage move',
  expected: false,
  unusable: true,
};

const unusable = (seen: string, hasFiles: boolean, option: string): Refused => ({
  message:
    `${seen} ${hasFiles ? 'The newest uploaded files of this database are not there' : 'This database has claimed another storage'}: ` +
    'uploads and downloads are refused.',
  action:
    'Mount its disk, or correct STORAGE_URL: the service then recovers. Only if the files are lost for good, ' +
    `run: npm run admin -- storage adopt${option}`,
  expected: false,
  unusable: true,
});

/** Checks that the storage belongs to this database. Read-only. */
export async function checkStorage({ db, storage }: Dependencies, owner?: string | null): Promise<Refused | null> {
  const owners = linesOf(owner === undefined ? await storage.readOwner() : owner);
  const own = await readInstallation(db); // after the object, because a sweep writes the row first
  const refused = await refuseUnusable(db, storage, owners, own);
  if (refused) return refused;
  if (owners.length === 0 && (await isEmpty(storage))) return own && halted(own);
  return judge(owners, own);
}

/**
 * Checks the same and claims a storage without files. In a storage of another installation it adds a line of
 * its own, which stops the sweeps of both: each would take the other's files for orphans. A copy adds none.
 *
 * `renew` writes a new nonce on both sides. A copied disk has the same id, but not the newer nonces. So with
 * OUTBOUND=off nothing is renewed: the original would become foreign to its own storage.
 */
export async function claimStorage({ db, storage }: Dependencies, { renew = false } = {}): Promise<Refused | null> {
  await ensureInstallation(db);
  const { owners, own, refused } = await transact(db, (trx) => claim(trx, storage));
  const mayRenew = own.outboundOff !== 'setting' && own.move === null; // else another storage has the nonce, too
  if (renew && isOwn(refused) && mayRenew) await renewNonce({ db, storage }, owners.join());
  return refused;
}

type Claim = { owners: string[]; own: Installation; refused: Refused | null };

/**
 * The row stays locked until the commit, so that two processes with different storages do not both claim
 * theirs.
 */
async function claim(trx: Trx, storage: Storage): Promise<Claim> {
  const own = await ensureInstallation(trx);
  let owners = linesOf(await storage.readOwner());
  const refused = await refuseUnusable(trx, storage, owners, own);
  if (refused) return { owners, own, refused };
  if (owners.length === 0 && (await isEmpty(storage))) {
    await storage.writeOwner(lineOf(own), { replace: false });
    owners = linesOf(await storage.readOwner());
  }
  const isOwner = owners.some((line) => isOurs(line, own));
  if (isOwner || (owners.length > 0 && own.outboundOff === null)) {
    if (!isOwner) await storage.writeOwner([...owners, lineOf(own)].join('\n'), { replace: true });
    // A previous nonce says that this database has claimed a storage.
    await sql`update installation set previous_nonce = nonce where previous_nonce is null`.execute(trx);
  }
  return { owners, own, refused: judge(owners, own) };
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

export const moveWords = ({ from, to, since }: Move): string =>
  `A move of the files from ${nameOf(from)} to ${nameOf(to)} is under way since ${since}.`;
export const moveOn = 'Go on with it, or end it: npm run admin -- storage move --help';

function halted({ haltedUntil, outboundOff, move }: Installation): Refused | null {
  if (move !== null)
    return { message: `${moveWords(move)} Orphans are not swept until it has ended.`, action: moveOn, expected: true };
  if (outboundOff === 'setting')
    return {
      message: 'Orphans are not swept while OUTBOUND=off is set: the files may be those of the original.',
      action: nothingToDo,
      expected: true,
    };
  if (haltedUntil === null) return null;
  const message = `Orphans are not swept until ${haltedUntil.toISOString()}, because the logs were restarted.`;
  return { message, action: nothingToDo, expected: true };
}

/** What a process finds wrong with its own storage, for doctor on another machine. */
export async function noteProblem(db: Db, problem: string): Promise<void> {
  await sql`update installation set storage_problem = ${problem}, storage_problem_at = now()`.execute(db);
}

/** Processes look once a minute. */
export async function readProblem(db: Db): Promise<string | null> {
  const { rows } = await sql<{ storage_problem: string }>`
    select storage_problem from installation where storage_problem_at > now() - interval '2 minutes'`.execute(db);
  return rows[0]?.storage_problem ?? null;
}

export const logRefused = (log: FastifyBaseLogger, { message, action, expected }: Refused): void =>
  log[expected ? 'info' : 'error']({ action }, message);

/** Makes this database the owner of the storage, replacing any other. If refused, the nonce stays. */
export const adoptStorage = ({ db, storage }: Dependencies): Promise<string> =>
  transact(db, async (trx) => {
    await ensureInstallation(trx);
    await sql`update installation set previous_nonce = nonce, nonce = gen_random_uuid(), move = null`.execute(trx);
    const own = await ensureInstallation(trx);
    await storage.writeOwner(lineOf(own), { replace: true });
    return own.id;
  });

/** After a restore, the storage may have files whose rows were lost. */
export async function haltSweeps(db: Db): Promise<void> {
  await ensureInstallation(db);
  await sql`
    update installation set sweeps_halted_until = now() + make_interval(days => ${daysOfGrace})`.execute(db);
}
