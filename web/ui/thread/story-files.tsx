import { type ComponentProps, createElement, useState } from 'react';
import { dialogPart } from '../page/part.tsx';
import { fileIcon } from '../preview/picture.tsx';
import { SmallPicture } from '../preview/small-picture.tsx';
import { sayBytes } from '../upload/bytes.ts';
import type { StoryFile } from './story.ts';

const LargePreview = dialogPart(() => import('../preview/large-preview.tsx'), 'LargePreview');

/** Files beside words: small, and large on a click. */
export const StoryFiles = ({ files }: { files: StoryFile[] }) =>
  files.length > 0 && (
    <ul className="row" style={{ marginTop: 6 }} aria-label="Files">
      {files.map((file) => (
        <StoryFileChip key={file.id} file={file} />
      ))}
    </ul>
  );

function StoryFileChip({ file }: { file: StoryFile }) {
  const [open, setOpen] = useState(false);
  const there = file.status === 'uploaded';
  return (
    <li>
      <button type="button" className="file-chip" disabled={!there} onClick={() => setOpen(true)}>
        <FileFace file={file} url={file.url} />
        <span className="breaks">
          <bdi>{file.file_name}</bdi>{' '}
          <span className="third">{there ? sayBytes(file.size_bytes) : 'no longer kept'}</span>
        </span>
      </button>
      <LargePreview file={file} url={file.url} opened={open} onClose={() => setOpen(false)} />
    </li>
  );
}

type FaceProps = Omit<ComponentProps<typeof SmallPicture>, 'children'>;

/** A picture of the file, or its kind. */
export function FileFace({ file, url }: FaceProps) {
  return (
    <SmallPicture file={file} url={url} className="file-chip-face">
      <span className="file-chip-face">
        {createElement(fileIcon(file.content_type), { size: 17, stroke: 1.5, 'aria-hidden': true })}
      </span>
    </SmallPicture>
  );
}
