import { type SkipToken, skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useUtc } from '../ui/time/time.tsx';
import { type AtelierError, operationQuery, type Output } from './api.ts';
import type { Place, Read, ReadOperation } from './reads.ts';

/** What a page reads at its present place. */
export function useReads<R>(reads: (place: Place) => R): R {
  const { id = '' } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  // Days in the address are days of the zone that is shown.
  useUtc();
  return reads({ id, search });
}

type Options<K extends ReadOperation> = Pick<
  UseQueryOptions<Output<K>, AtelierError>,
  'enabled' | 'refetchInterval' | 'staleTime'
>;

/** The answer to one of a page's reads; where the page has none at this place, there is no answer, not even an earlier one. */
export const useRead = <K extends ReadOperation>(read: Read<K> | undefined, options: Options<K> = {}) =>
  useQuery<Output<K>, AtelierError>({
    ...(read ? operationQuery(read.operation, read.input) : nothing),
    ...options,
  });

const nothing: { queryKey: string[]; queryFn: SkipToken; placeholderData: undefined } = {
  queryKey: ['nothing'],
  queryFn: skipToken,
  placeholderData: undefined,
};
