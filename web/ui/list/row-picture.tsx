import { Skeleton } from '@mantine/core';
import { createElement, type ReactNode } from 'react';
import { fileIcon, Picture } from '../preview/picture.tsx';

type Cover = { content_type: string; poster: string | null; poster_status: 'none' | 'pending' | 'made' | 'failed' };

type Props = {
  /** The file to show. */
  cover: Cover | null | undefined;
  /** Stands for the person or program of a row that has no picture. */
  letter?: string | undefined;
  children: ReactNode;
};

const row = { display: 'flex', alignItems: 'center', gap: 14 } as const;
const tile = {
  display: 'grid',
  flex: 'none',
  placeItems: 'center',
  width: 58,
  height: 44,
  border: '1px solid var(--line)',
  borderRadius: 5,
  background: 'var(--sunken)',
  objectFit: 'contain',
  color: 'var(--second)',
  fontWeight: 600,
} as const;

/** The first cell of a row, with its work as a picture of 58 by 44 pixels: a poster, fetched once in view. */
export const WithPicture = ({ children, ...picture }: Props) => (
  <span className="pictured" style={row}>
    <span>
      <RowPicture {...picture} />
    </span>
    <span style={{ minWidth: 0 }}>{children}</span>
  </span>
);

const RowPicture = ({ cover, letter }: Omit<Props, 'children'>) => (
  <Picture src={cover?.poster} style={tile}>
    {cover?.poster_status === 'pending' ? (
      <Skeleton style={{ flex: 'none' }} width={58} height={44} radius={5} />
    ) : (
      <span style={tile} aria-hidden>
        {cover
          ? createElement(fileIcon(cover.content_type), { size: 18, stroke: 1.4 })
          : letter && [...letter][0]?.toUpperCase()}
      </span>
    )}
  </Picture>
);
