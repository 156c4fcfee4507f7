import { useQuery } from '@tanstack/react-query';
import type { FilmIndex } from './film-index.ts';

/** Types of files that have an index. */
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

/** "This browser cannot play this film (H.265)." */
export const sayCannotPlay = (what: string, codec: string | null | undefined): string =>
  `This browser cannot play ${what}${codec ? ` (${codec})` : ''}.`;

/** Of a film of which one only hears the sound. Without an index, nobody knows why. */
export function sayNoPicture(index: FilmIndex | null | undefined): string {
  if (!index) return 'This browser shows no picture of this film.';
  return index.picture ? sayCannotPlay('the picture of this film', index.picture) : 'This film has no picture.';
}

/** The codecs that some browsers cannot play, as `canPlayType` names them. */
const codecNames: Record<string, string> = {
  'AC-3': 'ac-3',
  'E-AC-3': 'ec-3',
  'AC-4': 'ac-4',
  ALAC: 'alac',
  DTS: 'dtsc',
};

/** Says that this browser plays the film without its sound; otherwise null. */
export function sayNoSound(sound: string): string | null {
  const codec = codecNames[sound];
  const canPlay = !codec || document.createElement('video').canPlayType(`video/mp4; codecs="${codec}"`) !== '';
  return canPlay ? null : `this browser cannot play its sound (${sound})`;
}
