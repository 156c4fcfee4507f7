import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { Instructions, Title, visibleText } from '../../contract/jobs/new-job.ts';
import { endedStatuses, isEnded, type JobStatus } from '../../contract/moves.ts';
import { roles, type Role } from '../../contract/plans/roles.ts';
import { Email, Name } from '../../contract/shapes.ts';
import { readTime } from '../../contract/typed.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { type Problem, problemAt, type Row } from './table.ts';

export const customerColumns = { required: ['external_id', 'name'], optional: [] } as const;
export const peopleColumns = { required: ['external_id', 'customer', 'name', 'email'], optional: ['role'] } as const;
export const jobColumns = {
  required: ['external_id', 'customer', 'service_family', 'service_type', 'title', 'status', 'created_at', 'ended_at'],
  optional: ['person', 'instructions', 'reference', 'message', 'reason', 'files'],
} as const;

type ColumnOf<C extends { required: readonly string[]; optional: readonly string[] }> =
  | C['required'][number]
  | C['optional'][number];
export type CustomerRow = Row<ColumnOf<typeof customerColumns>>;
export type PersonRow = Row<ColumnOf<typeof peopleColumns>>;
export type JobRow = Row<ColumnOf<typeof jobColumns>>;

const messageLength = 20_000;
const externalIdLength = 200;
const referenceSchema = { type: 'string', ...visibleText(100) } as TSchema;

/** Whether a cell holds what its column says; the words end a sentence that begins with the column. */
type Rule<R extends Row> = [column: keyof R['cells'] & string, holds: (cell: string, row: R) => boolean, words: string];

const isOne = (schema: TSchema) => (cell: string) => Check(schema, cell as Static<typeof schema>);
const isExternalId = (cell: string) => cell.length > 0 && cell.length <= externalIdLength;
const idWords = `must have 1 to ${externalIdLength} characters`;

export const customerRules: Rule<CustomerRow>[] = [
  ['external_id', isExternalId, idWords],
  ['name', isOne(Name('')), 'must be a name of 1 to 100 letters, digits and common punctuation, without a slash'],
];

export const personRules: Rule<PersonRow>[] = [
  ['external_id', isExternalId, idWords],
  ['name', isOne(Name('')), 'must be a name of 1 to 100 letters, digits and common punctuation, without a slash'],
  ['email', isOne(Email), 'must be an e-mail address'],
  ['role', (cell) => cell === '' || (roles as readonly string[]).includes(cell), `must be one of ${roles.join(', ')}`],
];

/** `now`: by the clock of the database. */
export const jobRules = ({ families, retired }: Catalog, now: Date): Rule<JobRow>[] => [
  ['external_id', isExternalId, idWords],
  [
    'service_family',
    (cell) => families.has(cell) || retired.has(cell),
    `must be a family of the catalog, sold or retired: ${[...new Set([...families.keys(), ...retired])].filter((id) => !id.includes('/')).join(', ')}`,
  ],
  [
    'service_type',
    (cell, { cells: { service_family: family } }) =>
      families.get(family)?.options.some(({ id }) => id === cell) === true || retired.has(`${family}/${cell}`),
    'must be a service of that family in the catalog, sold or retired',
  ],
  ['title', isOne(Title), 'must have 1 to 200 visible characters'],
  ['instructions', (cell) => cell === '' || isOne(Instructions)(cell), 'must have at most 20,000 characters'],
  ['reference', (cell) => cell === '' || isOne(referenceSchema)(cell), 'must have at most 100 visible characters'],
  ['status', (cell) => isEnded(cell as JobStatus), `must be one of ${endedStatuses.join(', ')}`],
  ['created_at', (cell) => momentOf(cell) !== null, momentWords],
  ['ended_at', (cell) => momentOf(cell) !== null, momentWords],
  ['ended_at', (_, row) => endsInOrder(row, now), 'must be after created_at, and not in the future'],
  ['message', (cell) => cell.length <= messageLength, 'must have at most 20,000 characters'],
  ['message', onlyCompleted, 'belongs to a completed job'],
  ['files', onlyCompleted, 'belong to a completed job'],
  [
    'reason',
    (cell, { cells: { status } }) => (status === 'rejected') === (cell !== '') && cell.length <= 2_000,
    'is the reason of a rejected job, in at most 2,000 characters, and of no other',
  ],
];

const momentWords = 'must be a day, such as 2024-03-31, or a time with a zone, such as 2024-03-31T16:05:00+02:00';

/** A day is its beginning in UTC. */
export function momentOf(cell: string): Date | null {
  const time = readTime(/^\d{4}-\d\d-\d\d$/.test(cell) ? `${cell}T00:00Z` : cell);
  return time === null ? null : new Date(time);
}

function endsInOrder({ cells: { created_at, ended_at } }: JobRow, now: Date): boolean {
  const [created, ended] = [momentOf(created_at), momentOf(ended_at)];
  if (created === null || ended === null) return true;
  return created <= ended && ended <= now;
}

function onlyCompleted(cell: string, { cells: { status } }: JobRow): boolean {
  return cell === '' || status === 'completed' || !isEnded(status as JobStatus);
}

export const rowProblems = <R extends Row>(row: R, rules: readonly Rule<R>[]): Problem[] =>
  rules.flatMap(([column, holds, words]) =>
    holds(row.cells[column] ?? '', row) ? [] : [problemAt(row, column, words)],
  );

export const roleOf = ({ cells: { role } }: PersonRow): Role => (role === '' ? 'member' : (role as Role));
