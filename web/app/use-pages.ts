import { useQuery } from '@tanstack/react-query';
import { type AtelierError, type Input, type Operation, type Output, queryClient, readOperation } from './api.ts';

type Page = { next_cursor: string | null };

/** Operations that answer a list in pages. */
type Paged = { [K in Operation]: Output<K> extends Page ? K : never }[Operation];

type RowOf<K extends Paged> = {
  [Field in keyof Output<K>]: Output<K>[Field] extends (infer Row)[] ? Row : never;
}[keyof Output<K>];

/** `wanted` pages are to be shown, `read` are. */
type Pages<Row> = { rows: Row[]; more: boolean; read: number; wanted: number };

type Options<Row> = { interval?: (rows: Row[]) => number; enabled?: boolean };

/**
 * The first pages of a list as one. All of them are read anew together, so that no row is missed or comes twice. How many
 * are wanted is kept with the rows: a change that is announced while one more is read does not lose it.
 */
export function usePages<K extends Paged>(operation: K, input: Input<K>, options: Options<RowOf<K>> = {}) {
  const { interval, enabled = true } = options;
  const queryKey = [operation, input, 'pages'];
  const inCache = () => queryClient.getQueryData<Pages<RowOf<K>>>(queryKey);
  const query = useQuery<Pages<RowOf<K>>, AtelierError>({
    queryKey,
    queryFn: ({ signal }) => readPages(operation, input, inCache()?.wanted ?? 1, signal),
    ...firstPage(operation, input),
    enabled,
    ...(interval ? { refetchInterval: ({ state }) => interval(state.data?.rows ?? []) } : {}),
  });
  const { data, isPlaceholderData } = query;
  const readMore = () => {
    queryClient.setQueryData<Pages<RowOf<K>>>(queryKey, (pages) => pages && { ...pages, wanted: pages.read + 1 });
    void query.refetch();
  };
  return {
    data: data?.rows,
    /** Whether these are the rows of another list, shown until its own are there. */
    isPlaceholderData,
    pages: data?.read ?? 1,
    error: query.error,
    refetch: query.refetch,
    more: data?.more && !isPlaceholderData ? readMore : undefined,
    loadingMore: data !== undefined && data.wanted > data.read && query.isFetching,
  };
}

async function readPages<K extends Paged>(
  operation: K,
  input: Input<K>,
  wanted: number,
  signal: AbortSignal,
): Promise<Pages<RowOf<K>>> {
  const rows: RowOf<K>[] = [];
  let cursor: string | null = null;
  let read = 0;
  do {
    const page: Output<K> = await readOperation(operation, withCursor(input, cursor), signal);
    rows.push(...rowsOf(page));
    cursor = (page as Page).next_cursor;
    read += 1;
  } while (cursor !== null && read < wanted);
  return { rows, more: cursor !== null, read, wanted: read };
}

const withCursor = <K extends Operation>(input: Input<K>, cursor: string | null): Input<K> =>
  cursor === null ? input : { ...input, query: { ...(input as { query?: object }).query, cursor } };

/** A page has one list. */
const rowsOf = <K extends Paged>(page: Output<K>) => Object.values(page).find(Array.isArray) as RowOf<K>[];

/** What the page has read already, before its parts were there to ask for it. */
const firstPage = <K extends Paged>(operation: K, input: Input<K>) => {
  const first = queryClient.getQueryState<Output<K>>([operation, input]);
  return (
    first?.data && {
      initialData: {
        rows: rowsOf<K>(first.data),
        more: (first.data as Page).next_cursor !== null,
        read: 1,
        wanted: 1,
      },
      initialDataUpdatedAt: first.dataUpdatedAt,
    }
  );
};
