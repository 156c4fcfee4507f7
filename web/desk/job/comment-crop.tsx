import { IconFile, IconMusic, IconVideo } from '../../ui/look/icons.ts';
import { useState } from 'react';
import type { File, ReviewComment } from '../../app/api.ts';
import { kindOf } from '../../ui/preview/previewed.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { cropOf } from './crop.ts';
import { deskFileUrl } from './send-deliverable.ts';

type Props = { comment: ReviewComment; file: File | undefined };

/** What is around the pin of a comment, or the whole picture. A sign where nothing can be drawn. */
export function CommentCrop({ comment, file }: Props) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  const { box, page } = parsePlace(comment.at) ?? {};
  const url = file && pictureOf(file);
  const number = <span className="crop-number">{comment.number}</span>;
  if (!url || broken || (page ?? 1) > 1)
    return (
      <span className="crop" aria-hidden>
        <Sign file={file} />
        {page !== undefined && <span className="small">page {page}</span>}
        {number}
      </span>
    );
  const crop = size && box ? cropOf(box, size) : null;
  return (
    <span className="crop" aria-hidden>
      <img
        src={url}
        alt=""
        className={crop ? 'crop-part' : 'crop-whole'}
        style={crop?.picture}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
        onError={() => setBroken(true)}
      />
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
      {crop ? (
        <span className="crop-number at-pin" style={crop.pin}>
          {comment.number}
        </span>
      ) : (
        number
      )}
    </span>
  );
}

/** Posters are small; a picture without one is drawn itself. */
const pictureOf = (file: File): string | null =>
  file.poster ?? (file.status === 'uploaded' && kindOf(file) === 'image' ? deskFileUrl(file.id) : null);

function Sign({ file }: { file: File | undefined }) {
  const kind = file && kindOf(file);
  const Mark = kind === 'video' ? IconVideo : kind === 'audio' ? IconMusic : IconFile;
  return <Mark size={20} stroke={1.4} />;
}
