import { Box } from '@mantine/core';
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import type { ShownPicture } from '../preview/use-picture.ts';
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

type LayersProps = { picture: ShownPicture; alt: string; style?: CSSProperties };

const above = { position: 'absolute', left: 0, top: 0 } as const;

/** What the service has drawn of a picture, until its own pixels are there or instead of them. */
export const PictureLayers = ({ picture, alt, style }: LayersProps) => {
  const { poster, original, state } = picture;
  const waits = state === 'loading' && poster !== null;
  return (
    <>
      {poster && (
        <Picture
          src={poster}
          alt={original ? '' : alt}
          onSize={picture.onDrawn}
          onError={picture.onLost}
          style={style}
        />
      )}
      {original && (
        <Picture
          src={original}
          alt={alt}
          onSize={picture.onWhole}
          onError={picture.onBroken}
          style={waits ? { ...style, ...above, opacity: 0 } : style}
        />
      )}
    </>
  );
};

type PictureProps = {
  src: string;
  alt: string;
  /** Called with its own size, once it is loaded and decoded. */
  onSize: (size: Size) => void;
  onError: () => void;
  style?: CSSProperties;
};

function Picture({ src, alt, onSize, onError, style }: PictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const read = useEffectEvent((element: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = element;
    // A browser may load more pixels than it can decode.
    element.decode().then(
      () => onSize({ width, height }),
      () => element.isConnected && element.getAttribute('src') === src && onError(),
    );
  });
  useEffect(() => {
    const element = image.current;
    if (!element) return;
    const listen = () => read(element);
    element.addEventListener('load', listen);
    if (element.complete && element.naturalWidth > 0) listen();
    return () => element.removeEventListener('load', listen);
  }, [src]);
  return (
    <Box component="img" ref={image} {...{ src, alt, onError, style }} draggable={false} display="block" w="100%" />
  );
}
