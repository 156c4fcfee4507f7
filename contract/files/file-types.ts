/** Plain data without a schema library, so that pages can use it. */

/** 100 MiB */
export const maxFileBytes = 104_857_600;

/** The most files of one delivery. */
export const deliveryFiles = 500;

/** Pages can display these types; `catalog/file-types.yaml` adds download-only ones. No executables. */
export const fileTypes = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'application/zip': 'zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
} as const;
export type FileType = keyof typeof fileTypes;

/** What Windows, macOS, browsers and older programs call these types. */
export const otherNames: ReadonlyMap<string, FileType> = new Map<string, FileType>([
  ['application/csv', 'text/csv'],
  ['application/x-csv', 'text/csv'],
  ['text/x-csv', 'text/csv'],
  ['text/comma-separated-values', 'text/csv'],
  ['text/x-markdown', 'text/markdown'],
  ['text/json', 'application/json'],
  ['application/x-pdf', 'application/pdf'],
  ['image/x-png', 'image/png'],
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
  ['audio/wave', 'audio/wav'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['application/x-zip', 'application/zip'],
  ['application/x-zip-compressed', 'application/zip'],
]);

/** What no name of a file may hold: ends of lines, controls, and what turns the direction of writing. */
export const notInNames = '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u202a-\\u202e\\u2066-\\u2069';

/** Whether a page may show a file of this type, and the storage may name the type. */
export const isShown = (contentType: string): contentType is FileType => Object.hasOwn(fileTypes, contentType);

/** Pictures that have no type of their own below `image/`. */
const drawings = ['application/illustrator', 'application/postscript'];

/** The catalog may add types of films. */
export const isFilm = (contentType: string): boolean =>
  contentType.startsWith('video/') || contentType === 'application/mxf';

/** Whether comments mark regions in a file of this type. A page may show only a drawing of it. */
export const isPicture = (contentType: string): boolean =>
  contentType.startsWith('image/') || drawings.includes(contentType);
