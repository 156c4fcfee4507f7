import { useQuery } from '@tanstack/react-query';
import type { FilmIndex } from './film-index.ts';

/** Types that say at one place of the file what is in them. */
const indexed = ['video/mp4', 'video/quicktime', 'audio/mp4', 'audio/wav'];

/** The index of a film, read once without its pictures. Undefined until then; null if it has none. */
export const useFilmIndex = (file: { id?: string; content_type: string } | undefined, url: string | null) =>
  useQuery({
    queryKey: ['film-index', file?.id ?? url],
    queryFn: async ({ signal }): Promise<FilmIndex | null> => {
      const { readFilm, readerOf } = await import('./read-film.ts');
      return readFilm(readerOf(url ?? '', signal));
    },
    enabled: url !== null && file !== undefined && indexed.includes(file.content_type),
    staleTime: 'static',
    retry: false,
  }).data;
