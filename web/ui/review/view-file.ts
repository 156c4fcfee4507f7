import { isPicture } from '../../../contract/files/file-types.ts';
import { kindOf, type PreviewedFile } from '../preview/previewed.ts';
import type { ReviewComment, Writing } from './comments.ts';
import type { Place } from './place.ts';

/** A file of a delivery. Without `url` it is not known yet, or the file is gone. */
export type ViewFile = PreviewedFile & {
  id: string;
  poster: string | null;
  /** The URL of the copy, if it is not that of the file with `?copy=viewing`. */
  copy_url?: string | null;
  url: string | null;
};

export type PlacedComment = Pick<ReviewComment, 'id' | 'number' | 'place'>;

export type Here = () => Place;

export type StageProps = {
  file: ViewFile;
  /** Those of this file. */
  comments: PlacedComment[];
  selected: string | null;
  onSelect: (id: string) => void;
  /** The comment being written, if it is about this file. */
  writing: (Writing & { number: number }) | null;
  /** Null where one may only look. */
  onPlace: ((place: Place) => void) | null;
  /** Called by the stage with a function for the place that `c` means, such as the moment of a film. */
  onHere?: (here: Here | null) => void;
  /** Size or length, once it is known. */
  onDetail?: (words: string) => void;
};

export type StageKind = 'image' | 'pdf' | 'video' | 'audio' | 'text' | 'other' | 'gone';

/** Pictures and films that no browser shows are shown by their posters and copies, once these are made. */
export function stageKindOf(file: ViewFile): StageKind {
  if (file.status !== 'uploaded') return 'gone';
  const kind = kindOf(file);
  if (kind === 'image' || (file.poster !== null && isPicture(file.content_type))) return 'image';
  if (file.viewing_copy === 'made') return 'video';
  return kind === 'pdf' || kind === 'video' || kind === 'audio' || kind === 'text' ? kind : 'other';
}

/** Saves as a link does, so that a refusal is a failed download and opens no page. */
export const saveFrom = (href: string): void =>
  Object.assign(document.createElement('a'), { href, download: '' }).click();

/** The URL of the copy for viewing. */
export const viewingUrl = ({ url, copy_url }: ViewFile): string | null =>
  copy_url === undefined ? url && `${url}?copy=viewing` : copy_url;
