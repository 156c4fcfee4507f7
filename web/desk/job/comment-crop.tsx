import { useInViewport } from '@mantine/hooks';
import { type SyntheticEvent, useState } from 'react';
import type { File, ReviewComment } from '../../app/api.ts';
import { IconFile, IconMusic, IconVideo } from '../../ui/look/icons.ts';
import { sayTime } from '../../ui/preview/length.ts';
import { kindOf } from '../../ui/preview/previewed.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { cropOf } from './crop.ts';
import { deskFileUrl } from './send-deliverable.ts';

type Props = { comment: ReviewComment; file: File | undefined };
const signs: Record<string, typeof IconFile> = { video: IconVideo, audio: IconMusic };

/** The part of a picture around the pin of a comment, the frame of a film, or else an icon. */
export function CommentCrop({ comment, file }: Props) {
  const { ref, inViewport } = useInViewport();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  const { box, page, time } = parsePlace(comment.at) ?? {};
  const kind = !file ? 'other' : file.viewing_copy === 'made' ? 'video' : kindOf(file);
  const isFrame = kind === 'video' && time !== undefined;
  const Sign = signs[kind] ?? IconFile;
  const url = file && (isFrame ? frameUrl(file, time.from) : pictureOf(file));
  const crop = size && box && !broken ? cropOf(box, size) : null;
  const number = (
    <span className={crop ? 'crop-number at-pin' : 'crop-number'} style={crop?.pin}>
      {comment.number}
    </span>
  );
  if (!url || broken || (page ?? 1) > 1)
    return (
      <span className="crop" aria-hidden>
        <Sign size={20} stroke={1.4} />
        {page !== undefined && <span className="small">page {page}</span>}
        {time && <span className="small numbers">{sayTime(time.from)}</span>}
        {number}
      </span>
    );
  const onSize = (width: number, height: number) => (width > 0 ? setSize({ width, height }) : setBroken(true));
  const shown = {
    src: url,
    className: crop ? 'crop-part' : 'contain',
    style: crop?.picture ?? ({ objectFit: 'cover' } as const),
    onError: () => setBroken(true),
  };
  return (
    <span ref={ref} className="crop" aria-hidden>
      {!isFrame && (
        <img
          {...shown}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize(naturalWidth, naturalHeight)}
        />
      )}
      {isFrame && inViewport && (
        <video
          {...shown}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          onLoadedMetadata={({ currentTarget: film }: SyntheticEvent<HTMLVideoElement>) =>
            onSize(film.videoWidth, film.videoHeight)
          }
        />
      )}
      {crop && box && box.w > 0 && (
        <span
          className="crop-region"
          style={{
            width: crop.region.width,
            height: crop.region.height,
            left: crop.pin.left - crop.region.width / 2,
            top: crop.pin.top - crop.region.height / 2,
          }}
        />
      )}
      {number}
    </span>
  );
}

/** Posters are small; a picture without one is drawn itself. */
const pictureOf = (file: File): string | null =>
  file.poster ?? (file.status === 'uploaded' && kindOf(file) === 'image' ? deskFileUrl(file.id) : null);

/** From the copy for viewing, if there is one. */
const frameUrl = ({ id, status, viewing_copy: copy }: File, time: number): string | null =>
  status === 'uploaded' ? `${deskFileUrl(id)}${copy === 'made' ? '?copy=viewing' : ''}#t=${time}` : null;
