import type { readPaths } from '../../client/generated/read-paths.ts';
import type { Input, Operation, Output } from './operations.ts';

/** Operations that only read. */
export type ReadOperation = Extract<keyof typeof readPaths, Operation>;
/** Those that answer a list page by page. */
export type ListOperation = {
  [K in ReadOperation]: Output<K> extends { next_cursor: string | null } ? K : never;
}[ReadOperation];

export type Read<K extends ReadOperation> = { operation: K; input: Input<K>; pages?: false };
export type ListRead<K extends ListOperation> = { operation: K; input: Input<K>; pages: true };
export type AnyRead =
  | { [K in ReadOperation]: Read<K> }[ReadOperation]
  | { [K in ListOperation]: ListRead<K> }[ListOperation];

/** Where a page is: the id in its path, and what stands behind the `?`. */
export type Place = { id: string; search: Record<string, string | undefined> };

/** What a page reads at a place, by names of its own. Its file imports no React: it runs before the app. */
export type Reads = (place: Place) => Record<string, AnyRead | undefined>;

export const read = <K extends ReadOperation>(operation: K, input = {} as Input<K>): Read<K> => ({ operation, input });

/** A list whose next pages are read when they are asked for. */
export const readPages = <K extends ListOperation>(operation: K, input = {} as Input<K>): ListRead<K> => ({
  operation,
  input,
  pages: true,
});

/** What pages of both apps read. */
export const sessionRead = read('readSession');
export const meRead = read('readMe');
export const catalogRead = read('readCatalog');
