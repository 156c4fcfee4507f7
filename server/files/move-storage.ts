import { sql } from 'kysely';
import { downloadUrlSeconds, uploadUrlSeconds } from '../../contract/files/file.ts';
import { databaseTime, type Db, otherProcesses, transact } from '../db/pool.ts';
import {
  checkStorage,
  ensureInstallation,
  isEmpty,
  isOurs,
  isOwn,
  lineOf,
  linesOf,
  type Move,
  movedAway,
  movedLine,
  readMove,
  moveWords,
} from './installation.ts';
import type { Place } from './places.ts';
import { nameOf, type StorageConfig, storageTag } from './storage-config.ts';
import { newId } from '../lib/id.ts';

/** Why nothing was done. */
export class Unmoved extends Error {
  readonly action: string;
  constructor(message: string, action: string) {
    super(message);
    this.action = action;
  }
}

const isSame = (left: StorageConfig, right: StorageConfig): boolean => nameOf(left) === nameOf(right);

const writeMove = (db: Db, move: Move | null) =>
  sql`update installation set move = ${move && JSON.stringify(move)}::jsonb`.execute(db);

/** The move that is under way. Without one it begins; towards where the files came from, it turns round. */
export async function beginMove(db: Db, own: Place, target: Place): Promise<Move> {
  const [move, { from, to }] = [await readMove(db), { from: own.config, to: target.config }];
  if (move && isSame(move.to, to)) return move;
  if (move && !isSame(move.from, to))
    throw new Unmoved(moveWords(move), 'End it first: npm run admin -- storage move --end');
  if (!move) {
    if (isSame(from, to)) throw new Unmoved(`The files are in ${nameOf(from)}.`, 'Name another storage.');
    await refuseOlder(db);
    await refuseSource(db, own);
    await claimTarget(db, own, target);
  }
  const since = (await databaseTime(db)).toISOString();
  const begun = { from: move?.to ?? from, to, since, switched_at: null };
  await writeMove(db, begun);
  return begun;
}

async function refuseOlder(db: Db): Promise<void> {
  if ((await otherProcesses(db)).every(({ storageTag }) => storageTag !== '')) return;
  throw new Unmoved('A process of 0.2.0 runs, which reads and deletes files in one storage only.', 'Upgrade it first.');
}

/** A disk that is not mounted has no files to copy. */
export async function refuseSource(db: Db, { config, storage }: Place): Promise<void> {
  const refused = await checkStorage({ db, storage });
  if (!isOwn(refused) && refused !== movedAway)
    throw new Unmoved(`${nameOf(config)}: ${refused?.message}`, refused?.action ?? '');
}

/** Nor does one that is not mounted take any. */
export async function refuseUnclaimed(db: Db, { config, storage }: Place): Promise<void> {
  const own = await ensureInstallation(db);
  if (linesOf(await storage.readOwner()).some((line) => isOurs(line, own))) return;
  throw new Unmoved(
    `${nameOf(config)} has no record that it takes the files of this database.`,
    'Mount it, or name it as the first command did.',
  );
}

/** It works, is another storage, and is empty or has had the files of this database. */
async function claimTarget(db: Db, from: Place, { config, storage }: Place): Promise<void> {
  const own = await ensureInstallation(db);
  const owners = linesOf(await storage.readOwner());
  const isTaken = owners.some((line) => !isOurs(line, own) && line !== movedLine(own));
  if (isTaken || (owners.length === 0 && !(await isEmpty(storage))))
    throw new Unmoved(
      `${nameOf(config)} has files of another installation, or of nobody known.`,
      'Name an empty folder or bucket.',
    );
  const key = `uploads/${newId()}.txt`;
  await storage.write(key, { contentType: 'text/plain', bytes: Buffer.from('Written by storage move.\n') });
  const isSeen = [await storage.measure(key), await from.storage.measure(key)].map((object) => object !== null);
  await storage.remove(key);
  if (!isSeen[0] || (await storage.measure(key)) !== null)
    throw new Unmoved(`${nameOf(config)} does not write, read and delete.`, 'Check its rights and the AWS variables.');
  if (isSeen[1])
    throw new Unmoved(`${nameOf(config)} is the same storage as ${nameOf(from.config)}.`, 'Name another one.');
  await storage.writeOwner(lineOf(own), { replace: true });
}

/** Processes say their storage beside their name. What they have signed for the old one works for a while. */
export async function refuseUnswitched(db: Db, own: StorageConfig, move: Move): Promise<void> {
  const { from, to } = move;
  const switching = `Set STORAGE_URL=${nameOf(to)} for all processes and this command, restart them in turn, then repeat this.`;
  if (!isSame(own, to)) throw new Unmoved(`STORAGE_URL of this command is still ${nameOf(own)}.`, switching);
  const others = (await otherProcesses(db)).filter((other) => other.storageTag !== storageTag(to));
  const now = await databaseTime(db);
  const switched_at = others.length > 0 ? null : (move.switched_at ?? now.toISOString());
  if (switched_at !== move.switched_at) await writeMove(db, { ...move, switched_at });
  if (switched_at === null)
    throw new Unmoved(
      `${others.length} of the running processes have another STORAGE_URL than the new one.`,
      switching,
    );
  if (!(await mayArrive(db, switched_at))) return;
  const until = new Date(Date.parse(switched_at) + Math.max(uploadUrlSeconds, downloadUrlSeconds) * 1_000);
  if (now < until)
    throw new Unmoved(
      `Uploads that were signed for ${nameOf(from)} may arrive there until ${until.toISOString()}.`,
      'Repeat this then. Everything works meanwhile.',
    );
}

/** Whether an upload that was presigned before the switch is still open. */
async function mayArrive(db: Db, switchedAt: string): Promise<boolean> {
  const { rows } = await sql`
    select from files where status = 'pending_upload' and created_at <= ${switchedAt} limit 1`.execute(db);
  return rows.length > 0;
}

/** From here on a process that still names the old storage refuses uploads and downloads. */
export async function endMove(db: Db, from: Place): Promise<void> {
  await transact(db, async (trx) => {
    const own = await ensureInstallation(trx);
    const others = linesOf(await from.storage.readOwner()).filter((line) => !line.startsWith(`${own.id} `));
    await from.storage.writeOwner([...others, movedLine(own)].join('\n'), { replace: true });
    await writeMove(trx, null);
  });
}
