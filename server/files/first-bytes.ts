import type { FileType } from '../../contract/files/file-types.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { beginsAs, type BytePattern, readPattern } from '../lib/byte-pattern.ts';

/** PDF readers look for its mark in the first 1,024 bytes. */
export const longestBeginning = 1_028;

type Look = { name: string; types: FileType[]; lines: string[] };
const pictures: FileType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const office: FileType[] = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
];
/** Boxes that a film may begin with: ftyp, moov, mdat, wide, free, skip, pnot. */
const boxes = ['66 74 79 70', '6d 6f 6f 76', '6d 64 61 74', '77 69 64 65', '66 72 65 65', '73 6b 69 70', '70 6e 6f 74'];

/** As `starts_with` in `file-types.yaml`. A type that is not listed may begin with anything. */
const looks: Look[] = [
  { name: 'a PNG', types: ['image/png'], lines: ['89 50 4e 47'] },
  { name: 'a JPEG', types: ['image/jpeg'], lines: ['ff d8 ff'] },
  { name: 'a GIF', types: ['image/gif'], lines: ['47 49 46 38'] },
  { name: 'a WebP', types: ['image/webp'], lines: ['52 49 46 46 ?? ?? ?? ?? 57 45 42 50'] },
  { name: 'a WAV', types: ['audio/wav'], lines: ['52 49 46 46 ?? ?? ?? ?? 57 41 56 45', '52 46 36 34', '42 57 36 34'] },
  { name: 'a WebM or Matroska film', types: ['video/webm'], lines: ['1a 45 df a3'] },
  {
    name: 'a .zip, or a document that is one',
    types: ['application/zip', ...office],
    lines: ['50 4b 03 04', '50 4b 05 06', '50 4b 07 08', '50 4b 30 30'],
  },
  // An encrypted .docx begins so, too.
  { name: 'an Office document of the old kind', types: office, lines: ['d0 cf 11 e0'] },
  {
    name: 'an MP3',
    types: ['audio/mpeg'],
    // ID3, APETAG, and a frame of any layer, rate and protection.
    lines: [
      '49 44 33',
      '41 50 45 54',
      ...['fb', 'fa', 'f3', 'f2', 'e3', 'e2', 'fd', 'fc', 'f5', 'f4'].map((b) => `ff ${b}`),
    ],
  },
  // Zeros are taken for an MP3 that is padded, and name no kind of file.
  { name: '', types: ['audio/mpeg'], lines: ['00 00 00 00'] },
  { name: 'a PDF', types: ['application/pdf'], lines: ['25 50 44 46'] },
  {
    name: 'an MP4 or QuickTime film',
    types: ['video/mp4', 'video/quicktime'],
    lines: boxes.map((b) => `?? ?? ?? ?? ${b}`),
  },
  { name: 'a Windows program', types: [], lines: ['4d 5a'] },
  { name: 'a Linux program', types: [], lines: ['7f 45 4c 46'] },
  { name: 'a macOS program', types: [], lines: ['cf fa ed fe', 'ce fa ed fe', 'ca fe ba be'] },
  { name: 'a script', types: [], lines: ['23 21'] },
  { name: 'a web page', types: [], lines: ['3c 21 64 6f', '3c 21 44 4f', '3c 68 74 6d 6c', '3c 48 54 4d 4c'] },
];

const read = ({ lines, ...look }: Look) => ({ ...look, patterns: lines.map(readPattern) });
const all = looks.map(read);
type Types = Pick<Catalog, 'fileTypes'>;

const begins = (bytes: Uint8Array, { patterns }: { patterns: BytePattern[] }): boolean =>
  patterns.some((pattern) => beginsAs(bytes, pattern));

/**
 * The declared type if a file of it may begin so, or another kind of picture, which browsers
 * show all the same. Otherwise null.
 */
export function typeByBytes(bytes: Uint8Array, declared: string, { fileTypes }: Types): string | null {
  const { beginnings: patterns = [] } = fileTypes.get(declared) ?? {};
  if (patterns.length > 0) return begins(bytes, { patterns }) ? declared : null;
  if (declared === 'application/pdf') return isPdf(bytes) ? declared : null;
  if (!all.some(({ types }) => types.some((type) => type === declared))) return declared;
  const types = all.filter((look) => begins(bytes, look)).flatMap((look) => look.types);
  if (types.some((type) => type === declared)) return declared;
  return pictures.some((type) => type === declared) ? (pictures.find((type) => types.includes(type)) ?? null) : null;
}

/** The kind of a file, such as "a Windows program", by the longest line that fits. Null if unknown. */
export function nameByBytes(bytes: Uint8Array, { fileTypes }: Types): string | null {
  const named = [...fileTypes.values()].map(({ extensions, beginnings: patterns }) => {
    return { name: `a .${extensions[0]} file`, patterns };
  });
  const fits = [...all, ...named].flatMap(({ name, patterns }) =>
    patterns.filter((pattern) => beginsAs(bytes, pattern)).map(({ length }) => ({ name, length })),
  );
  return fits.toSorted((a, b) => b.length - a.length)[0]?.name || null;
}

const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes('%PDF-');
