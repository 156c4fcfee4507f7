import { useQuery } from '@tanstack/react-query';
import type { Review } from '../../app/api.ts';
import { kindOf, shown } from '../../ui/preview/previewed.ts';
import type { Compared } from '../../ui/review/compare.ts';
import type { ViewFile } from '../../ui/review/view-file.ts';
import { guestApi } from './guest-api.ts';

/** The files of a delivery. Their URLs are requested one by one, when they are opened. */
export const filesOf = ({ files }: Review, of: number | null): ViewFile[] =>
  files
    .filter(({ round }) => round === of)
    .map(({ name, ...file }) => ({ ...file, file_name: name, status: 'uploaded', url: null }));

export const newestFiles = (review: Review): ViewFile[] => filesOf(review, review.round);

/** Those with files, oldest first. */
export const guestDeliveries = (review: Review): Compared[] =>
  [...new Set(review.files.map(({ round }) => round))]
    .toSorted((first, other) => first - other)
    .map((round) => ({ round, label: `Delivery ${round + 1}`, files: filesOf(review, round) }));

/** Milliseconds: signed URLs work for longer. */
const fresh = 4 * 60_000;

/** The signed URLs of a file and of its copy for viewing. */
export const useGuestUrls = (file: ViewFile | undefined): Pick<ViewFile, 'url' | 'copy_url'> => ({
  url: useGuestUrl(file?.id),
  copy_url: useGuestUrl(file?.viewing_copy === 'made' ? file.id : undefined, { query: { copy: 'viewing' } }),
});

/** The signed URL of a file; null until it is there. */
export function useGuestUrl(id: string | undefined, which: object = {}): string | null {
  const { data } = useQuery({
    queryKey: ['guest', 'url', id, which],
    queryFn: () => guestApi.downloadReviewFile({ path: { id: id ?? '' }, ...which }),
    enabled: id !== undefined,
    staleTime: fresh,
    refetchOnWindowFocus: false,
  });
  return data?.download.url ?? null;
}

/** The first that can be shown as a picture comes first. */
export const pictureOf = (files: ViewFile[]): ViewFile | undefined =>
  files.find((file) => file.poster !== null || (kindOf(file) === 'image' && file.size_bytes <= shown.image));
