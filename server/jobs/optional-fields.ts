import { sql } from 'kysely';
import {
  type DateField,
  fieldOf,
  type OptionalField,
  optionalNames,
  type OptionalValues,
  type PrivateField,
  privateNames,
  type StudioField,
  studioNames,
  valuesOf,
} from '../../contract/jobs/optional-fields.ts';
import type { Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { acceptWish } from './wish.ts';

/** Optional fields as Postgres has them. */
export type OptionalRow<N extends OptionalField = OptionalField> = {
  [K in N]: OptionalValues[K] extends object
    ? OptionalValues[K]
    : (K extends DateField ? Date : string) | string | null;
};
type Changes = { [N in OptionalField]?: OptionalValues[N] | null };

const types = { text: 'text', choice: 'text', date: 'timestamptz', map: 'jsonb' };
const listOf = (names: readonly OptionalField[], columnOf: (name: OptionalField) => string) =>
  sql.raw(names.map(columnOf).join(', '));

/** `reference, metadata, …`: the columns of `jobs`, in the same order wherever they stand. */
export const optionalColumns = listOf(optionalNames, (name) => name);
export const typedColumns = listOf(optionalNames, (name) => `${name} ${types[fieldOf(name).kind]}`);
export const erasedColumns = listOf(optionalNames, (name) =>
  fieldOf(name).kind === 'map' ? `${name} = '{}'` : `${name} = null`,
);
/** Of jobs `j`. Times are text, which saves parsing and formatting. */
const read = (name: OptionalField) => (fieldOf(name).kind === 'date' ? `j.${name}::text as ${name}` : `j.${name}`);
export const listedOptionals = listOf(studioNames, read);
export const privateOptionals = listOf(privateNames, read);

const timeOf = (name: OptionalField, value: unknown) =>
  fieldOf(name).kind === 'date' ? isoTime((value ?? null) as Time | null) : value;
const show = <N extends OptionalField>(names: readonly N[], row: { [K in N]?: unknown }) =>
  valuesOf(names, Object.fromEntries(names.map((name) => [name, timeOf(name, row[name])])) as { [K in N]?: unknown });
export const showListed = (row: OptionalRow<StudioField>) => show(studioNames, row);
export const showPrivate = (row: Partial<OptionalRow<PrivateField>>) => show(privateNames, row);

/** What the body leaves out stays, and null clears. */
export async function withChanges<N extends OptionalField>(
  trx: Trx,
  names: readonly N[],
  before: OptionalRow<N>,
  changes: Changes,
): Promise<OptionalRow<N>> {
  const next: Partial<Record<N, unknown>> = {};
  for (const name of names) {
    const value = changes[name];
    if (value === undefined) next[name] = before[name];
    else if (fieldOf(name).kind === 'date')
      next[name] = await acceptWish(trx, value as string | null, before[name] as Time | null);
    else next[name] = valuesOf<OptionalField>([name], changes)[name];
  }
  return next as OptionalRow<N>;
}
