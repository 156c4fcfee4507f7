import type { Catalog } from '../catalog/catalog.ts';
import {
  customerColumns,
  type CustomerRow,
  customerRules,
  jobColumns,
  type JobRow,
  jobRules,
  peopleColumns,
  personRules,
  type PersonRow,
  roleOf,
  rowProblems,
} from './rows.ts';
import { readSourceFiles, type SourceFile } from './source-file.ts';
import { type Problem, problemAt, readTable, type Row } from './table.ts';

export type JobOfImport = JobRow & { files: SourceFile[] };
/** A customer with their rows by external id, and what keeps all of them from being imported. */
export type CustomerOfImport = {
  row: CustomerRow;
  people: Map<string, PersonRow>;
  jobs: Map<string, JobOfImport>;
  problems: Problem[];
};
/** `problems`: of rows that belong to no customer, which keep everything from being imported. */
export type Import = { customers: CustomerOfImport[]; problems: Problem[] };

/** Reads and checks the whole folder: every problem is told at once. */
export async function readImport(folder: string, catalog: Catalog, now: Date): Promise<Import> {
  const [customers, people, jobs] = [
    await readTable(folder, 'customers.csv', customerColumns),
    await readTable(folder, 'people.csv', peopleColumns),
    await readTable(folder, 'jobs.csv', jobColumns),
  ];
  const problems = [customers, people, jobs].flatMap((table) => table.problems);
  const byId = new Map<string, CustomerOfImport>();
  for (const row of customers.rows) {
    const own = { row, people: new Map(), jobs: new Map(), problems: rowProblems(row, customerRules) };
    if (byId.has(row.cells.external_id)) problems.push(problemAt(row, 'external_id', 'stands twice in this file'));
    else byId.set(row.cells.external_id, own);
  }
  problems.push(...distribute(byId, people.rows, (customer, row) => addPerson(customer, row)));
  const rules = jobRules(catalog, now);
  problems.push(...distribute(byId, jobs.rows, (customer, row) => addJob(customer, row, rules)));
  for (const customer of byId.values()) {
    if (![...customer.people.values()].some((person) => roleOf(person) === 'owner'))
      customer.problems.push(problemAt(customer.row, 'external_id', 'has no owner in people.csv'));
    for (const job of customer.jobs.values()) {
      const read = await readSourceFiles(folder, catalog, job);
      job.files = read.files;
      customer.problems.push(...read.problems);
    }
  }
  return { customers: [...byId.values()], problems };
}

/** Gives each row to its customer. Returns the problems of rows without one. */
function distribute<R extends Row<'customer'>>(
  customers: ReadonlyMap<string, CustomerOfImport>,
  rows: readonly R[],
  add: (customer: CustomerOfImport, row: R) => void,
): Problem[] {
  return rows.flatMap((row) => {
    const customer = customers.get(row.cells.customer);
    if (!customer) return [problemAt(row, 'customer', 'names no external_id of customers.csv')];
    add(customer, row);
    return [];
  });
}

function addPerson({ people, problems }: CustomerOfImport, row: PersonRow): void {
  problems.push(...rowProblems(row, personRules));
  const { external_id, email } = row.cells;
  if (people.has(external_id)) problems.push(problemAt(row, 'external_id', 'stands twice for this customer'));
  if ([...people.values()].some(({ cells }) => cells.email.toLowerCase() === email.toLowerCase()))
    problems.push(problemAt(row, 'email', 'stands twice for this customer'));
  people.set(external_id, row);
}

function addJob({ people, jobs, problems }: CustomerOfImport, row: JobRow, rules: ReturnType<typeof jobRules>): void {
  problems.push(...rowProblems(row, rules));
  const { external_id, person } = row.cells;
  if (jobs.has(external_id)) problems.push(problemAt(row, 'external_id', 'stands twice for this customer'));
  if (person && !people.has(person))
    problems.push(problemAt(row, 'person', 'names nobody of this customer in people.csv'));
  jobs.set(external_id, { ...row, files: [] });
}
