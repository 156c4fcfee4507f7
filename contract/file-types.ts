/** Plain data without a schema library, so that pages can use it. */

/** 100 MiB */
export const maxFileBytes = 104_857_600;

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

/** Whether a page may show a file of this type, and the storage may name the type. */
export const isShown = (contentType: string): contentType is FileType => Object.hasOwn(fileTypes, contentType);
