import { type SkipToken, skipToken, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useUtc } from '../ui/time/time.tsx';
import { type AtelierError, operationQuery, type Output } from './api.ts';
import type { Place, Read, ReadOperation } from './reads.ts';

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
