import { IconFile, IconFileTypePdf, IconFileZip, IconMusic, IconPhoto, IconTypography } from '../look/icons.ts';

const icons: Record<string, typeof IconFile> = {
  'application/pdf': IconFileTypePdf,
  audio: IconMusic,
  image: IconPhoto,
  font: IconTypography,
};

/** What stands for a file that has no picture, by its MIME type or the first part of it. */
export const fileIcon = (type: string): typeof IconFile =>
  /zip|compressed/.test(type) ? IconFileZip : (icons[type] ?? icons[type.split('/')[0] ?? ''] ?? IconFile);
