import { Box } from '@mantine/core';
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { Size, View } from './zoom.ts';

type Props = { view: View | null; picture: Size | null; children: ReactNode };

/** A picture on the stage, moved and zoomed with what lies on it. */
export const Surface = ({ view, picture, children }: Props) => (
  <div
    className="surface"
    style={
      view && picture
        ? {
            width: picture.width * view.scale,
            height: picture.height * view.scale,
            transform: `translate(${view.x}px, ${view.y}px)`,
          }
        : { visibility: 'hidden' }
    }
  >
    {children}
  </div>
);

type PictureProps = {
  src: string | null;
  alt: string;
  /** Called with its own size, once it is loaded. */
  onSize: (size: Size) => void;
  onError?: () => void;
  style?: CSSProperties;
};

export function Picture({ src, alt, onSize, ...more }: PictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const read = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => onSize({ width, height });
  const readLoaded = useEffectEvent(read);
  useEffect(() => {
    // React drops events of elements that it has not shown yet.
    if (image.current?.complete && image.current.naturalWidth > 0) readLoaded(image.current);
  }, [src]);
  return (
    <Box
      component="img"
      ref={image}
      src={src ?? undefined}
      alt={alt}
      draggable={false}
      display="block"
      w="100%"
      onLoad={({ currentTarget }) => read(currentTarget)}
      {...more}
    />
  );
}
