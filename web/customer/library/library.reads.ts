import { libraryViews } from '../../../contract/files/library-views.ts';
import { type Place, read, readPages } from '../../app/reads.ts';
import { boundOfDay } from '../../ui/time/day.ts';

export type LibraryAddress = 'view' | 'family' | 'type' | 'brand' | 'person' | 'from' | 'to' | 'q' | 'leaving';
type Search = Partial<Record<LibraryAddress, string>>;

export const viewOf = ({ view }: Search) => libraryViews.find((each) => each === view) ?? 'approved';

/** What the filters of the address leave, for the list, an archive and a link. */
export const filtersOf = (search: Search) => ({
  service_family: search.family || undefined,
  service_type: search.type || undefined,
  brand: search.brand || undefined,
  person_id: search.person || undefined,
  approved_after: boundOfDay(search.from),
  approved_before: boundOfDay(search.to, 1),
  leaving: search.leaving === 'true' || undefined,
  q: search.q || undefined,
});

export const isFiltered = (search: Search): boolean => Object.values(filtersOf(search)).some(Boolean);

/** Uploads that belong to no job. */
export const unattachedRead = readPages('listFiles', { query: { limit: 50, attached: false } });

export function libraryReads({ search }: Place) {
  const view = viewOf(search);
  return {
    counts: read('countLibrary'),
    members: read('listMembers'),
    jobs: readPages('listLibrary', { query: { limit: 24, view, ...filtersOf(search) } }),
    unattached: view === 'mine' && !isFiltered(search) ? unattachedRead : undefined,
  };
}
