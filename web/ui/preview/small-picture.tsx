import type { ReactNode } from 'react';
import { Picture } from './picture.tsx';
import { kindOf, type PreviewedFile } from './previewed.ts';

type Props = {
  file: Omit<PreviewedFile, 'status'> & { status?: string };
  /** The file itself, for a picture without a poster. */
  url?: string | null;
  className?: string;
  /** Instead of a picture: what kind of file it is. */
  children: ReactNode;
};

/** A picture of this many bytes at most stands for its poster. */
const mostWhole = 300_000;

/** The poster of a file, else its kind. Never the sign of a browser that cannot show it. */
export function SmallPicture({ file, url, className, children }: Props) {
  const isWhole = file.size_bytes <= mostWhole && kindOf({ ...file, status: 'uploaded' }) === 'image';
  const there = file.status === undefined || file.status === 'uploaded';
  const picture = there ? (file.poster ?? (isWhole && file.poster_status !== 'failed' ? url : null)) : null;
  return (
    <Picture src={picture} className={className}>
      {children}
    </Picture>
  );
}
