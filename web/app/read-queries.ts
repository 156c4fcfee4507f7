import { queryOptions } from '@tanstack/react-query';
import {
  type AtelierError,
  type Input,
  isPart,
  operationQuery,
  type Output,
  queryClient,
  readOperation,
} from './api.ts';
import { firstReads } from './first-reads.ts';
import type { AnyRead, ListOperation, ListRead } from './reads.ts';

export type RowOf<K extends ListOperation> = {
  [Field in keyof Output<K>]: Output<K>[Field] extends (infer Row)[] ? Row : never;
}[keyof Output<K>];

/** How many pages should be shown, and how many are loaded. */
export type Pages<Row> = { rows: Row[]; more: boolean; read: number; pageCount: number };

/** One query, so that rows are neither missed nor repeated. `pageCount` survives a refresh. */
export function pagesQuery<K extends ListOperation>({ operation, input }: ListRead<K>) {
  const queryKey = [operation, input, 'pages'];
  return queryOptions<Pages<RowOf<K>>, AtelierError>({
    queryKey,
    async queryFn({ signal }) {
      const pageCount = queryClient.getQueryData<Pages<RowOf<K>>>(queryKey)?.pageCount ?? 1;
      const pages: Output<K>[] = [];
      let cursor: string | null = null;
      do {
        const page: Output<K> = await readOperation(operation, withCursor(input, cursor), signal);
        pages.push(page);
        cursor = cursorOf(page);
      } while (cursor !== null && pages.length < pageCount);
      return joined(pages);
    },
  });
}

const withCursor = <K extends ListOperation>(input: Input<K>, cursor: string | null): Input<K> =>
  cursor === null ? input : { ...input, query: { ...(input as { query?: object }).query, cursor } };

const cursorOf = (page: object) => (page as { next_cursor: string | null }).next_cursor;

/** A page of an answer contains exactly one list. */
const rowsOf = <K extends ListOperation>(page: Output<K>) => Object.values(page).find(Array.isArray) as RowOf<K>[];

const joined = <K extends ListOperation>(pages: Output<K>[]): Pages<RowOf<K>> => ({
  rows: pages.flatMap(rowsOf<K>),
  more: cursorOf(pages.at(-1)!) !== null,
  read: pages.length,
  pageCount: pages.length,
});

const isList = (read: AnyRead): read is Extract<AnyRead, { pages: true }> => read.pages === true;

/** Errors are left to the page, which reads again. */
export const prefetch = (read: AnyRead): Promise<void> =>
  isList(read)
    ? queryClient.prefetchQuery(pagesQuery(read as ListRead<ListOperation>))
    : queryClient.prefetchQuery(operationQuery(read.operation, read.input));

/** Milliseconds for which the first paint waits for its reads, to avoid painting twice. */
const patience = 100;
/** Milliseconds after which an early answer is too old. */
const oldAfter = 10_000;

/** Puts early answers into the query cache. */
export async function adoptFirstReads(): Promise<void> {
  const answers = Promise.all(firstReads.map(({ answer }) => answer));
  await Promise.race([answers, new Promise((resolve) => setTimeout(resolve, patience))]);
  for (const started of firstReads.filter(({ data }) => data !== undefined)) {
    adopt(started.read, started.data);
    firstReads.splice(firstReads.indexOf(started), 1);
  }
  setTimeout(() => firstReads.splice(0), oldAfter);
}

const adopt = (read: AnyRead, data: unknown): unknown =>
  isList(read)
    ? queryClient.setQueryData(pagesQuery(read).queryKey, joined([data as Output<ListOperation>]))
    : isPart(read.input, data as object) // its other pages are still to be read
      ? undefined
      : queryClient.setQueryData([read.operation, read.input], data);
