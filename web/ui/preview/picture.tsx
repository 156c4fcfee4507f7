import { type CSSProperties, type ReactNode, useState } from 'react';
import {
  IconFile,
  IconFileTypePdf,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconTypography,
  IconVideo,
} from '../look/icons.ts';

const icons: Record<string, typeof IconFile> = {
  'application/pdf': IconFileTypePdf,
  audio: IconMusic,
  image: IconPhoto,
  video: IconVideo,
  font: IconTypography,
};

/** What stands for a file that has no picture, by its MIME type or the first part of it. */
export const fileIcon = (type: string): typeof IconFile =>
  /zip|compressed/.test(type) ? IconFileZip : (icons[type] ?? icons[type.split('/')[0] ?? ''] ?? IconFile);

type Props = {
  src: string | null | undefined;
  className?: string | undefined;
  style?: CSSProperties;
  children: ReactNode;
};

/** A picture, or its children where there is none that the browser can show. Fetched once in view. */
export function Picture({ src, children, ...look }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!src || src === failed) return children;
  return <img src={src} alt="" loading="lazy" decoding="async" {...look} onError={() => setFailed(src)} />;
}
