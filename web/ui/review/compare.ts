import type { Place } from './place.ts';
import type { ViewFile } from './view-file.ts';
import type { Size } from './zoom.ts';

/** A delivery that can be compared. `round` is 0 for the first. */
export type Compared = { round: number; label: string; files: ViewFile[] };

/** A comment on an earlier delivery, with the studio's answer. */
export type AskedChange = {
  id: string;
  /** Of the delivery that was commented on. */
  round: number;
  /** Runs through the comments on one delivery. */
  number: number;
  fileId: string;
  fileName: string;
  place: Place | null;
  text: string;
  isDone: boolean;
  note: string | null;
};

/** Both pictures as wide as the later one; the canvas is as high as the higher of them. */
export function sameWidth(earlier: Size, later: Size): { canvas: Size; earlierHeight: number } {
  const earlierHeight = (earlier.height / earlier.width) * later.width;
  return { canvas: { width: later.width, height: Math.max(earlierHeight, later.height) }, earlierHeight };
}

/** "1,200 px narrower than before, fitted to the same width"; empty for equal pictures. */
export function sayDifference(earlier: Size, later: Size): string {
  const wider = later.width - earlier.width;
  if (wider !== 0)
    return `${Math.abs(wider).toLocaleString()} px ${wider > 0 ? 'wider' : 'narrower'} than before, fitted to the same width`;
  const higher = later.height - earlier.height;
  return higher === 0 ? '' : `${Math.abs(higher).toLocaleString()} px ${higher > 0 ? 'higher' : 'lower'} than before`;
}

/** The slider after an arrow key; null for other keys. */
export function sliderAfter(position: number, key: string): number | null {
  const by = { ArrowLeft: -2, ArrowRight: 2 }[key];
  return by === undefined ? null : Math.min(Math.max(position + by, 0), 100);
}

/** What was asked for between two deliveries: "round 2", "rounds 1 and 2", "rounds 1 to 3". */
export function sayRounds(earlier: Compared, later: Compared): string {
  const [first, last] = [earlier.round + 1, later.round];
  if (first === last) return `round ${first}`;
  return `rounds ${first} ${last === first + 1 ? 'and' : 'to'} ${last}`;
}

/** The file of the later delivery in which a change shows: the partner of the file that was commented on. */
export function shownIn(change: AskedChange, deliveries: Compared[], later: Compared): ViewFile | undefined {
  const commented = deliveries.find(({ round }) => round === change.round)?.files ?? [];
  return pairFiles(commented, later.files).pairs.find(({ earlier }) => earlier.id === change.fileId)?.later;
}

/** Pins of a pair: of its earlier file, and of the selected change, which may be of a delivery between. */
export const pinsOfPair = (changes: AskedChange[], { earlier }: Pair<ViewFile>, selected: string | null) =>
  changes.filter(({ id, fileId }) => fileId === earlier.id || id === selected);

type Named = { id: string; file_name: string; content_type: string };
export type Pair<File> = { earlier: File; later: File };

/**
 * Pairs the files of two deliveries: by name, and the others by order if they are of one kind.
 * What is left of the later delivery is new.
 */
export function pairFiles<File extends Named>(earlier: File[], later: File[]): { pairs: Pair<File>[]; added: File[] } {
  const partner = new Map<File, File>();
  const free = new Set(earlier);
  const match = (fits: (file: File, before: File) => boolean) => {
    for (const file of later) {
      if (partner.has(file)) continue;
      const before = [...free].find((candidate) => fits(file, candidate));
      if (!before) continue;
      partner.set(file, before);
      free.delete(before);
    }
  };
  match((file, before) => file.file_name === before.file_name);
  match((file, before) => file.file_name.toLowerCase() === before.file_name.toLowerCase());
  match((file, before) => kindOf(file) === kindOf(before));
  return {
    pairs: later.flatMap((file) => {
      const before = partner.get(file);
      return before ? [{ earlier: before, later: file }] : [];
    }),
    added: later.filter((file) => !partner.has(file)),
  };
}

/** All pictures are of one kind, and so are all films; a PDF is none with an archive. */
const kindOf = ({ content_type: type }: Named): string =>
  type.startsWith('application/') ? type : (type.split('/')[0] ?? '');
