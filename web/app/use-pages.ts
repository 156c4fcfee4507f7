import { useInfiniteQuery } from '@tanstack/react-query';
import { type AtelierError, type Input, type Operation, type Output, queryClient, readOperation } from './api.ts';

/** Operations that answer a list in pages. */
type Paged = { [K in Operation]: Output<K> extends { next_cursor: string | null } ? K : never }[Operation];

type Options<Row> = { interval?: (rows: Row[]) => number; enabled?: boolean };

/** The rows of a list, page after page as they are asked for; a refetch reads those that are shown. */
export function usePages<K extends Paged, Row>(
  operation: K,
  input: Input<K>,
  rowsOf: (page: Output<K>) => Row[],
  { interval, enabled = true }: Options<Row> = {},
) {
  const query = useInfiniteQuery<Output<K>, AtelierError, Row[], unknown[], string | null>({
    queryKey: [operation, input, 'pages'],
    queryFn: ({ signal, pageParam }) => readOperation(operation, withCursor(input, pageParam), signal),
    initialPageParam: null,
    ...firstPage(operation, input),
    getNextPageParam: (page) => (page as { next_cursor: string | null }).next_cursor,
    select: ({ pages }) => pages.flatMap(rowsOf),
    enabled,
    ...(interval ? { refetchInterval: ({ state }) => interval(state.data?.pages.flatMap(rowsOf) ?? []) } : {}),
  });
  return {
    data: query.data,
    error: query.error,
    refetch: query.refetch,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}

const withCursor = <K extends Operation>(input: Input<K>, cursor: string | null): Input<K> =>
  cursor === null ? input : { ...input, query: { ...(input as { query?: object }).query, cursor } };

/** What the page has read already, before its parts were there to ask for it. */
const firstPage = <K extends Operation>(operation: K, input: Input<K>) => {
  const read = queryClient.getQueryState<Output<K>>([operation, input]);
  return (
    read?.data && { initialData: { pages: [read.data], pageParams: [null] }, initialDataUpdatedAt: read.dataUpdatedAt }
  );
};
