import type { Db } from '../db/pool.ts';
import { checkStorage } from '../files/installation.ts';
import type { Storage } from '../files/storage.ts';
import { judgedObjects } from '../files/sweep-storage.ts';
import { counted, fail, type Finding, ok, warn } from './finding.ts';

type Dependencies = { db: Db; storage: Storage };

/** The sweep moves orphans within a day and an hour. */
const hoursOfGrace = 48;
/** Listing a large bucket would take long. Keys sort by age, so these are the oldest of a kind. */
const mostListed = 5_000;
/** As in the sweep: more suggest a wrong database. */
const mostShare = 0.05;

/** Whose files the storage holds, and how many have no row. */
export async function checkOwner({ db, storage }: Dependencies): Promise<Finding[]> {
  const refused = await checkStorage({ db, storage });
  if (refused?.expected) return [ok(refused.message)];
  if (refused) return [fail(refused.message, refused.action)];
  return [ok('The files of the storage belong to this database.'), await checkOrphans({ db, storage })];
}

async function checkOrphans({ db, storage }: Dependencies): Promise<Finding> {
  const enough = new AbortController();
  let [listed, orphaned] = [0, 0];
  for await (const { objects, orphans } of judgedObjects({ db, storage }, hoursOfGrace, enough.signal)) {
    listed += objects;
    orphaned += orphans.length;
    if (listed >= mostListed) enough.abort();
  }
  const of = `${counted(orphaned, 'object')} of ${listed.toLocaleString('en')}${enough.signal.aborted ? ' listed' : ''}`;
  const sentence = `${of} that are older than two days have no row.`;
  if (orphaned === 0) return ok(sentence);
  const action = 'Look at them: npm run admin -- storage sweep --dry-run';
  return warn(
    orphaned > listed * mostShare ? `${sentence} So many suggest a wrong DATABASE_URL or STORAGE_URL.` : sentence,
    action,
  );
}
