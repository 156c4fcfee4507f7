import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, lockAccount, transact, type Trx } from '../db/pool.ts';
import { type FilmReading } from '../files/films/film.ts';
import type { Storage } from '../files/storage.ts';
import { byService } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { endImportedInvitations } from '../members/imported-person.ts';
import { normalEmail } from '../sign-in/person.ts';
import { accountOf, type Change, columnDigests, compareCustomer, idDigest, type Kind } from './compare-import.ts';
import type { JobOfImport } from './read-import.ts';
import { type PersonRow, roleOf } from './rows.ts';
import { storeFiles } from './store-files.ts';
import type { Problem, Row } from './table.ts';
import { type Terms, writeJobs } from './write-jobs.ts';

type Dependencies = { db: Db; storage: Storage; config: FilmReading };

/**
 * All of a customer in one transaction. Their files are stored before it, and removed if nothing was written.
 * Returns the problems that came up since the customer was compared.
 */
export async function writeCustomer({ db, storage, config }: Dependencies, compared: Change): Promise<Problem[]> {
  const stored = await storeFiles(storage, compared.newJobs);
  // Once the commit was asked for, it may have happened even if the connection is lost.
  let mayHaveCommitted = false;
  try {
    return await transact(db, async (trx) => {
      const accountId = await accountOf(trx, compared.customer.row.cells.external_id);
      if (accountId !== null) await lockAccount(trx, accountId);
      // Again, because somebody may have joined in the meantime.
      const change = await compareCustomer(trx, compared.customer);
      if (change.problems.length > 0) throw new FoundProblems(change.problems);
      await writeChange(trx, change, { stored, config });
      mayHaveCommitted = true;
      return [];
    });
  } catch (error) {
    // What cannot be removed now is swept a day later, as it has no row.
    if (!mayHaveCommitted) for (const { key } of stored.values()) await storage.remove(key).catch(() => {});
    if (error instanceof FoundProblems) return error.problems;
    throw error;
  }
}

class FoundProblems extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super('The customer has problems.');
    this.problems = problems;
  }
}

async function writeChange(trx: Trx, change: Change, terms: Terms): Promise<void> {
  const accountId = await writeAccount(trx, change);
  await writePeople(trx, accountId, change);
  const people = await peopleByDigest(trx, accountId);
  const jobs = change.newJobs.map((row) => ({
    row,
    id: newId(),
    createdBy: creatorOf(change, people, row) ?? accountId,
  }));
  await writeJobs(trx, accountId, jobs, terms);
  await noteRows(
    trx,
    accountId,
    'job',
    jobs.map(({ row, id }) => ({ row, id })),
  );
  const details = { people: change.newPeople.length, jobs: jobs.length, files: terms.stored.size };
  await appendAudit(trx, byService(), {
    action: 'account.imported',
    subject: showId('acct', accountId),
    accountId,
    details,
  });
}

/** Two imports of a new customer at once: the second fails by the key of the row. */
async function writeAccount(trx: Trx, { accountId, customer: { row }, renamed }: Change): Promise<string> {
  if (accountId !== null) {
    if (renamed) {
      await trx.updateTable('accounts').set({ name: row.cells.name }).where('id', '=', accountId).execute();
      await noteColumns(trx, accountId, 'customer', row);
    }
    return accountId;
  }
  const id = newId();
  await sql`insert into accounts (id, name, slug, imported_at) values (${id}, ${row.cells.name}, ${id}, now())`.execute(
    trx,
  );
  await trx.insertInto('account_counters').values({ account_id: id }).execute();
  await noteRows(trx, id, 'customer', [{ row, id }]);
  return id;
}

/** Somebody who is a member already needs no invitation. */
async function writePeople(trx: Trx, accountId: string, { newPeople, changedPeople }: Change): Promise<void> {
  await changePeople(trx, accountId, changedPeople);
  for (const row of newPeople) {
    const member = await memberWith(trx, accountId, row);
    const id = member ?? newId();
    if (member === null) await insertPerson(trx, accountId, id, row);
    await noteRows(trx, accountId, 'person', [{ row, id }]);
  }
}

/** All are deleted before one is inserted, because people may have swapped their addresses. */
async function changePeople(trx: Trx, accountId: string, changed: readonly PersonRow[]): Promise<void> {
  if (changed.length === 0) return;
  const people = await peopleByDigest(trx, accountId);
  const now = changed.map((row) => ({
    person_id: people.get(idDigest(row).toString('hex')) ?? '',
    email: normalEmail(row.cells.email),
    role: roleOf(row),
    name: row.cells.name,
  }));
  const { rows: before } = await sql<ImportedRow>`
    delete from imported_people
    where account_id = ${accountId} and person_id = any(${now.map(({ person_id }) => person_id)}::uuid[])
    returning person_id, email, role`.execute(trx);
  const listed = sql`json_to_recordset(${JSON.stringify(now)}::json) as r (person_id uuid, email text, role text, name text)`;
  await sql`
    insert into imported_people (account_id, person_id, email, role)
    select ${accountId}, r.person_id, r.email, r.role from ${listed}`.execute(trx);
  await sql`update people p set name = r.name from ${listed} where p.id = r.person_id`.execute(trx);
  const same = (old: ImportedRow) =>
    now.some((row) => row.person_id === old.person_id && row.email === old.email && row.role === old.role);
  const corrected = before.filter((old) => !same(old)).map(({ email }) => email);
  await endImportedInvitations(trx, { accountId, emails: corrected }, byService());
  for (const row of changed) await noteColumns(trx, accountId, 'person', row);
}

async function memberWith(trx: Trx, accountId: string, { cells: { email } }: PersonRow): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from members m join people u on u.id = m.user_id
    where m.account_id = ${accountId} and u.email = ${normalEmail(email)}`.execute(trx);
  return rows[0]?.user_id ?? null;
}

/** The address of the row is nobody's: no mail is sent there, and nobody can sign up or sign in with it. */
async function insertPerson(trx: Trx, accountId: string, id: string, row: PersonRow): Promise<void> {
  const address = `${id}@imported.invalid`;
  await trx.insertInto('people').values({ id, name: row.cells.name, email: address, email_verified: true }).execute();
  await sql`
    insert into imported_people (account_id, person_id, email, role)
    values (${accountId}, ${id}, ${normalEmail(row.cells.email)}, ${roleOf(row)})`.execute(trx);
}

type ImportedRow = { person_id: string; email: string; role: string };
type ByDigest = ReadonlyMap<string, string>;

async function peopleByDigest(trx: Trx, accountId: string): Promise<ByDigest> {
  const { rows } = await sql<{ digest: Buffer; row_id: string }>`
    select digest, row_id from imported_rows where account_id = ${accountId} and kind = 'person'`.execute(trx);
  return new Map(rows.map(({ digest, row_id }) => [digest.toString('hex'), row_id]));
}

/** Without a person, the job names the account, which is nobody's id: its creator has no name. */
function creatorOf({ customer }: Change, people: ByDigest, { cells: { person } }: JobOfImport): string | undefined {
  const row = customer.people.get(person);
  return row && people.get(idDigest(row).toString('hex'));
}

type Noted = { row: Row<'external_id'>; id: string };

async function noteRows(trx: Trx, accountId: string, kind: Kind, noted: readonly Noted[]): Promise<void> {
  const rows = noted.map(({ row, id }) => ({ digest: idDigest(row).toString('hex'), id, columns: columnDigests(row) }));
  await sql`
    insert into imported_rows (account_id, kind, digest, row_id, columns)
    select ${accountId}, ${kind}, decode(r.digest, 'hex'), r.id, r.columns
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (digest text, id uuid, columns jsonb)`.execute(trx);
}

const noteColumns = (trx: Trx, accountId: string, kind: Kind, row: Row<'external_id'>) =>
  sql`
    update imported_rows set columns = ${JSON.stringify(columnDigests(row))}
    where account_id = ${accountId} and kind = ${kind} and digest = ${idDigest(row)}`.execute(trx);
