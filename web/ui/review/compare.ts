import { isShown } from '../../../contract/files/file-types.ts';
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
  /** Who asked, and whether as a guest. */
  author: string;
  isGuest: boolean;
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

type Paired<File> = { pairs: Pair<File>[]; added: File[]; dropped: File[] };

/**
 * Pairs the files of two deliveries by name: as it is, then without case, then without versions, then with
 * another ending. Two files that are the only ones of their kind left are a pair. Others are new or dropped.
 */
export function pairFiles<File extends Named>(earlier: File[], later: File[]): Paired<File> {
  const partner = new Map<File, File>();
  const free = new Set(earlier);
  const match = (keyOf: (file: File) => string) => {
    const waiting = Map.groupBy(free, keyOf);
    for (const file of later) {
      const before = partner.has(file) ? undefined : waiting.get(keyOf(file))?.shift();
      if (!before) continue;
      partner.set(file, before);
      free.delete(before);
    }
  };
  match(({ file_name }) => file_name);
  match(plainName);
  match((file) => `${stemOf(file)} ${endingOf(file)}`);
  match((file) => `${stemOf(file)} ${kindOf(file)}`);
  match((file) => `${stemOf(file)} ${mediumOf(file)}`);
  const rest = later.filter((file) => !partner.has(file));
  const lasts = new Set([...lastOfKind([...free]), ...lastOfKind(rest)]);
  match((file) => (lasts.has(file) ? kindOf(file) : file.id));
  return {
    pairs: later.flatMap((file) => {
      const before = partner.get(file);
      return before ? [{ earlier: before, later: file }] : [];
    }),
    added: later.filter((file) => !partner.has(file)),
    dropped: [...free],
  };
}

/** "2 files are not in this delivery". */
export const sayDropped = ({ length }: unknown[], delivery: string): string =>
  `${length} ${length === 1 ? 'file is' : 'files are'} not in ${delivery}`;

/** Macs write an accent as a character of its own, Windows does not. */
const plainName = ({ file_name: name }: Named): string => name.normalize('NFC').toLowerCase();
const endingOf = (file: Named): string => /\.[^.]*$/.exec(plainName(file))?.[0] ?? '';

/** At the end of a name: `_v2`, ` final`, `(1)`, ` copy 2`, `-r02`, `_rev2`, and a date. */
const version =
  /[\s_.-](?:(?:v|r|rev|version)[\s_.-]?\d[\d.]*|final\d*|copy(?: \d+)?|20\d\d-?[01]\d-?[0-3]\d)$|\s?\(\d{1,3}\)$/;

/** Its name without ending and versions, unless nothing else is left. */
function stemOf(file: Named): string {
  let stem = plainName(file).slice(0, -endingOf(file).length || undefined);
  for (let shorter = ''; ; stem = shorter) {
    shorter = stem.replace(version, '').replace(/[\s_.-]$/, '');
    if (shorter === stem || shorter === '') return stem;
  }
}

/** Pictures, films and sounds that pages show are three kinds; anything else is of a kind by its type. */
const kindOf = (file: Named): string =>
  isShown(file.content_type) && /^(?:image|video|audio)$/.test(mediumOf(file)) ? mediumOf(file) : file.content_type;

/** `image` for any picture. A document or archive shares its medium only with its own type. */
const mediumOf = ({ content_type: type }: Named): string =>
  type.startsWith('application/') ? type : (type.split('/')[0] ?? '');

/** The files that are the only ones of their kind. */
const lastOfKind = <File extends Named>(files: File[]): File[] =>
  [...Map.groupBy(files, kindOf).values()].flatMap((same) => (same.length === 1 ? same : []));
