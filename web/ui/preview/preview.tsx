import { Box } from '@mantine/core';
import { IconDownload } from '../look/icons.ts';
import { createElement, useState } from 'react';
import { sayBytes } from '../upload/bytes.ts';
import { fileIcon } from './picture.tsx';
import type { Previewed } from './previewed.ts';
import { SmallPicture } from './small-picture.tsx';
import { dialogPart } from '../page/part.tsx';

const LargePreview = dialogPart(() => import('./large-preview.tsx'), 'LargePreview');

export function FileCard({ file, url }: Previewed) {
  const [open, setOpen] = useState(false);
  const there = file.status === 'uploaded';
  return (
    <figure className="file-card">
      <button
        type="button"
        className="file-face"
        onClick={() => setOpen(true)}
        disabled={!there}
        aria-label={`Open ${file.file_name}`}
      >
        <SmallPicture file={file} url={url}>
          {createElement(fileIcon(file.content_type), { size: 32, stroke: 1.2, 'aria-hidden': true })}
        </SmallPicture>
      </button>
      <Box component="figcaption" className="poster-caption" py={8}>
        <span className="one-line">{file.file_name}</span>
        {there ? (
          <a
            className="icon-line"
            href={url}
            download={file.file_name}
            aria-label={`Download ${file.file_name}, ${sayBytes(file.size_bytes)}`}
          >
            {sayBytes(file.size_bytes)} <IconDownload size={14} aria-hidden />
          </a>
        ) : (
          <span className="third">{file.status === 'deleted' ? 'no longer kept' : 'not uploaded'}</span>
        )}
      </Box>
      <LargePreview file={file} url={url} opened={open} onClose={() => setOpen(false)} />
    </figure>
  );
}
