import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, isClosed, type Trx } from '../db/pool.ts';
import { normalEmail } from '../sign-in/person.ts';
import type { CustomerOfImport, JobOfImport } from './read-import.ts';
import type { PersonRow } from './rows.ts';
import { type Problem, problemAt, type Row } from './table.ts';

export type Kind = 'customer' | 'person' | 'job';
const digest = (text: string) => createHash('sha256').update(text).digest();
export const idDigest = ({ cells }: Row<'external_id'>): Buffer => digest(cells.external_id);

/** A digest of each column, and of the sizes of the files: what a row was when it was imported. */
export const columnDigests = (row: Row | JobOfImport): Record<string, string> => {
  const sizes = 'files' in row ? row.files.map(({ bytes }) => bytes).join() : '';
  const cells = Object.entries<string>(row.cells).map(([name, cell]) => [name, name === 'files' ? cell + sizes : cell]);
  return Object.fromEntries(
    cells
      .filter(([, cell]) => cell !== '')
      .map(([name, cell]) => [name, digest(cell ?? '').toString('base64url', 0, 9)]),
  ) as Record<string, string>;
};

/** What an import changes for one customer. `accountId` is null if it is new. */
export type Change = {
  customer: CustomerOfImport;
  accountId: string | null;
  renamed: boolean;
  newPeople: PersonRow[];
  /** Of people who have not joined. */
  changedPeople: PersonRow[];
  newJobs: JobOfImport[];
  /** Rows that are as they were, or whose words were erased since. */
  unchanged: number;
  problems: Problem[];
};

type EarlierRow = { row_id: string; columns: Record<string, string> | null; joined: boolean };

/** Compares a customer with what earlier imports wrote. Changes nothing. */
export async function compareCustomer(db: Db | Trx, customer: CustomerOfImport): Promise<Change> {
  const accountId = await accountOf(db, customer.row.cells.external_id);
  const change: Change = {
    customer,
    accountId,
    renamed: false,
    newPeople: [],
    changedPeople: [],
    newJobs: [],
    unchanged: 0,
    problems: [...customer.problems],
  };
  const people = [...customer.people.values()];
  const jobs = [...customer.jobs.values()];
  if (accountId === null) return { ...change, newPeople: people, newJobs: jobs };
  if (await isClosed(db, accountId)) return { ...change, unchanged: 1 + people.length + jobs.length };
  const earlier = await earlierRows(db, accountId);
  compareRow(
    change,
    earlier.get(`customer ${idDigest(customer.row).toString('hex')}`),
    customer.row,
    () => (change.renamed = true),
  );
  for (const row of people)
    compareRow(
      change,
      earlier.get(`person ${idDigest(row).toString('hex')}`),
      row,
      () => change.changedPeople.push(row),
      change.newPeople,
    );
  await compareAddresses(db, accountId, change);
  for (const row of jobs)
    compareRow(change, earlier.get(`job ${idDigest(row).toString('hex')}`), row, null, change.newJobs);
  return change;
}

/** An address is one person's. People of this file may hand theirs on to each other. */
async function compareAddresses(db: Db | Trx, accountId: string, change: Change): Promise<void> {
  const { rows } = await sql<{ email: string; digest: Buffer | null }>`
    select p.email, r.digest from imported_people p
    left join imported_rows r on r.account_id = ${accountId} and r.kind = 'person' and r.row_id = p.person_id
    where p.account_id = ${accountId}
    union all
    select u.email, null from members m join people u on u.id = m.user_id where m.account_id = ${accountId}`.execute(
    db,
  );
  const changed = change.changedPeople.map((row) => idDigest(row).toString('hex'));
  const holders = rows.map(({ email, digest }) => ({ email, by: digest?.toString('hex') ?? 'a member' }));
  for (const row of [...change.newPeople, ...change.changedPeople]) {
    const own = idDigest(row).toString('hex');
    const holder = holders.find(({ email, by }) => email === normalEmail(row.cells.email) && !changed.includes(by))?.by;
    if (holder === undefined || holder === own || (holder === 'a member' && change.newPeople.includes(row))) continue;
    const words = holder === 'a member' ? 'is the address of a member' : 'is the address of somebody imported before';
    change.problems.push(problemAt(row, 'email', words));
  }
}

export async function accountOf(db: Db | Trx, externalId: string): Promise<string | null> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from imported_rows where kind = 'customer' and digest = ${digest(externalId)}`.execute(db);
  return rows[0]?.account_id ?? null;
}

async function earlierRows(db: Db | Trx, accountId: string): Promise<ReadonlyMap<string, EarlierRow>> {
  const { rows } = await sql<EarlierRow & { kind: Kind; digest: Buffer }>`
    select r.kind, r.digest, r.row_id, r.columns,
      case r.kind when 'customer' then exists (select from members m where m.account_id = ${accountId})
        when 'person' then not exists (select from imported_people p
          where p.account_id = ${accountId} and p.person_id = r.row_id)
        else true end as joined
    from imported_rows r where r.account_id = ${accountId}`.execute(db);
  return new Map(rows.map((row) => [`${row.kind} ${row.digest.toString('hex')}`, row]));
}

/** `update` is null where an imported row never changes. A row whose words were erased is left as it is. */
function compareRow<R extends Row<'external_id'>>(
  change: Change,
  earlier: EarlierRow | undefined,
  row: R,
  update: (() => unknown) | null,
  added: R[] = [],
): void {
  if (earlier === undefined) {
    added.push(row);
    return;
  }
  const changed = changedColumns(earlier.columns, columnDigests(row));
  if (changed.length === 0) change.unchanged += 1;
  else if (update && !earlier.joined) update();
  else
    change.problems.push(
      ...changed.map((column) =>
        problemAt(
          row,
          column,
          update
            ? 'differs from the first import, and somebody has joined since'
            : 'differs from the first import; a past job does not change',
        ),
      ),
    );
}

function changedColumns(before: Record<string, string> | null, now: Record<string, string>): string[] {
  if (before === null) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
