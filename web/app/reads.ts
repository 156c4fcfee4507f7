import type { Atelier } from '../../client/atelier.ts';
import type { readPaths } from '../../client/generated/read-paths.ts';

export type ReadOperation = Extract<keyof typeof readPaths, Operation>;
export type ListOperation = {
  [K in ReadOperation]: Output<K> extends { next_cursor: string | null } ? K : never;
}[ReadOperation];

export type Read<K extends ReadOperation> = { operation: K; input: Input<K>; pages?: false };
export type ListRead<K extends ListOperation> = { operation: K; input: Input<K>; pages: true };
export type AnyRead =
  | { [K in ReadOperation]: Read<K> }[ReadOperation]
  | { [K in ListOperation]: ListRead<K> }[ListOperation];

/** A page's path parameter and its search parameters. */
export type Place = { id: string; search: Record<string, string | undefined> };

/** What a page reads. Reads files import no React, because they run before the app. */
export type Reads = (place: Place) => Record<string, AnyRead | undefined>;

export const read = <K extends ReadOperation>(operation: K, input = {} as Input<K>): Read<K> => ({ operation, input });

/** A list that loads more pages on request. */
export const readPages = <K extends ListOperation>(operation: K, input = {} as Input<K>): ListRead<K> => ({
  operation,
  input,
  pages: true,
});

export const sessionRead = read('readSession');
export const meRead = read('readMe');
/** With what can no longer be ordered, which names earlier orders. */
export const catalogRead = read('readCatalog', { query: { retired: 'include' } });

/** Client functions that are not operations of the contract. */
type Written = 'eachJob' | 'waitForJob' | 'uploadFile';
export type Operation = Exclude<keyof Atelier, Written>;
type Options<K extends Operation> = NonNullable<Parameters<Atelier[K]>[0]>;
export type Input<K extends Operation> = Pick<Options<K>, Extract<keyof Options<K>, 'path' | 'query' | 'body'>>;
export type Output<K extends Operation> = NonNullable<Awaited<ReturnType<Atelier[K]>>>;
