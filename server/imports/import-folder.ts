import { Unusable } from '../backup/unusable.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Db, databaseTime } from '../db/pool.ts';
import { claimStorage, isOwn } from '../files/installation.ts';
import type { FilmReading } from '../files/films/film.ts';
import type { Storage } from '../files/storage.ts';
import { type Change, compareCustomer } from './compare-import.ts';
import { readImport } from './read-import.ts';
import { type Problem, problemAt } from './table.ts';
import { writeCustomer } from './write-customer.ts';

type Dependencies = { db: Db; storage: Storage; catalog: Catalog; config: FilmReading };

/** What one customer came to. `state`: `left out` has problems and nothing of it was written. */
export type CustomerOutcome = {
  external_id: string;
  name: string;
  state: 'new' | 'changed' | 'unchanged' | 'left out';
  people: number;
  changed_people: number;
  jobs: number;
  files: number;
  unchanged_rows: number;
};
export type ImportOutcome = { customers: CustomerOutcome[]; problems: Problem[] };

/** Each customer is imported whole or not at all. A repeated import changes nothing. */
export async function importFolder(
  dependencies: Dependencies,
  folder: string,
  { dryRun }: { dryRun: boolean },
): Promise<ImportOutcome> {
  const { db, storage, catalog } = dependencies;
  const read = await readImport(folder, catalog, await databaseTime(db));
  const changes: Change[] = [];
  for (const customer of read.customers) changes.push(await compareCustomer(db, customer));
  const problems = [...read.problems, ...changes.flatMap((change) => change.problems)];
  const mayWrite = !dryRun && read.problems.length === 0;
  const customers: CustomerOutcome[] = [];
  for (const change of changes) {
    const writes = mayWrite && isWritten(change);
    // The files may have been moved to another storage since the customer before.
    if (writes && change.newJobs.some(({ files }) => files.length > 0)) await refuseForeign({ db, storage });
    const failed = writes ? await write(dependencies, change) : [];
    problems.push(...failed);
    customers.push(outcomeOf(change, failed.length > 0 || read.problems.length > 0));
  }
  return { customers, problems };
}

async function refuseForeign(parts: { db: Db; storage: Storage }): Promise<void> {
  const refused = await claimStorage(parts);
  if (refused && !isOwn(refused)) throw new Unusable(refused.message, refused.action);
}

const isWritten = ({ accountId, problems, renamed, newPeople, changedPeople, newJobs }: Change): boolean =>
  problems.length === 0 &&
  (accountId === null || renamed || newPeople.length + changedPeople.length + newJobs.length > 0);

/** A customer that cannot be written leaves the others whole. */
async function write(dependencies: Dependencies, change: Change): Promise<Problem[]> {
  try {
    return await writeCustomer(dependencies, change);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [problemAt(change.customer.row, null, `could not be written: ${words}`)];
  }
}

function outcomeOf(change: Change, failed: boolean): CustomerOutcome {
  const { customer, accountId, newPeople, changedPeople, newJobs, unchanged, problems } = change;
  const written = isWritten(change);
  const state =
    failed || problems.length > 0 ? 'left out' : accountId === null ? 'new' : written ? 'changed' : 'unchanged';
  const { external_id, name } = customer.row.cells;
  return {
    external_id,
    name,
    state,
    people: newPeople.length,
    changed_people: changedPeople.length,
    jobs: newJobs.length,
    files: newJobs.reduce((sum, { files }) => sum + files.length, 0),
    unchanged_rows: unchanged,
  };
}
