import { type SkipToken, skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useUtc } from '../ui/time/time.tsx';
import { type AtelierError, operationQuery, type Output, queryClient } from './api.ts';
import { type Pages, pagesQuery, type RowOf } from './read-queries.ts';
import type { ListOperation, ListRead, Place, Read, ReadOperation } from './reads.ts';

export function useReads<R>(reads: (place: Place) => R): R {
  const { id = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  // Dates in the address use the displayed time zone.
  useUtc();
  return reads({ id, search });
}

type Options<K extends ReadOperation> = Pick<
  UseQueryOptions<Output<K>, AtelierError>,
  'enabled' | 'refetchInterval' | 'staleTime' | 'placeholderData'
>;

/** Without the read at this place there is no data. */
export const useRead = <K extends ReadOperation>(read: Read<K> | undefined, options: Options<K> = {}) =>
  useQuery<Output<K>, AtelierError>({
    ...(read ? operationQuery(read.operation, read.input) : nothing),
    ...options,
  });

const nothing: { queryKey: string[]; queryFn: SkipToken } = { queryKey: ['nothing'], queryFn: skipToken };

type Narrowed = { path?: object; query?: { account_id?: string } };

/** What the list belongs to, such as an account; null for the list of everything. */
const subjectOf = ({ path, query }: Narrowed) => JSON.stringify(path ?? query?.account_id ?? null);

type PageOptions<Row> = { interval?: (rows: Row[]) => number; enabled?: boolean };

export function usePages<K extends ListOperation>(
  read: ListRead<K>,
  { interval, enabled = true }: PageOptions<RowOf<K>> = {},
) {
  const pages = pagesQuery(read);
  const query = useQuery<Pages<RowOf<K>>, AtelierError>({
    ...pages,
    enabled,
    // Keeps showing the old rows until those of a new filter arrive, but never the rows of another subject.
    placeholderData: (shown, from) =>
      from && subjectOf(from.queryKey[1] as Narrowed) === subjectOf(read.input as Narrowed) ? shown : undefined,
    ...(interval ? { refetchInterval: ({ state }) => interval(state.data?.rows ?? []) } : {}),
  });
  const { data, isPlaceholderData } = query;
  const readMore = () => {
    queryClient.setQueryData<Pages<RowOf<K>>>(
      pages.queryKey,
      (shown) => shown && { ...shown, pageCount: shown.read + 1 },
    );
    void query.refetch();
  };
  return {
    data: data?.rows,
    /** Whether these rows still belong to the previous list. */
    isPlaceholderData,
    pages: data?.read ?? 1,
    error: query.error,
    refetch: query.refetch,
    more: data?.more && !isPlaceholderData ? readMore : undefined,
    loadingMore: data !== undefined && data.pageCount > data.read && query.isFetching,
  };
}
