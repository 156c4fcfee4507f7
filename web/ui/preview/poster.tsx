import { Box, Flex } from '@mantine/core';
import { IconPlayerPlayFilled } from '../look/icons.ts';
import { createElement, type ReactNode, useState } from 'react';
import { sayBytes } from '../upload/bytes.ts';
import { fileIcon } from './picture.tsx';
import { kindOf, type PreviewedFile, shown, useText } from './previewed.ts';
import { sayTime } from './length.ts';
import { Wave } from './wave.tsx';

/** What a file looks like: a picture wherever there is something to see. */
export function Poster({ file, url }: { file: PreviewedFile; url: string }) {
  const kind = kindOf(file);
  const icon = <PosterIcon file={file} />;
  if (file.status !== 'uploaded') return icon;
  if (kind === 'video') return <Film url={url} poster={file.poster ?? undefined} icon={icon} />;
  const picture = file.poster || (kind === 'image' && file.size_bytes <= shown.image && url);
  if (picture) return <img src={picture} alt="" loading="lazy" className="poster-image" />;
  if (kind === 'text') return <FirstLines url={url} />;
  if (kind === 'audio') return <Wave url={url} small={file.size_bytes <= shown.sound} fallback={icon} />;
  return icon;
}

function PosterIcon({ file: { file_name, content_type, poster_status } }: { file: PreviewedFile }) {
  const ending = file_name.includes('.') ? (file_name.split('.').at(-1) ?? '') : '';
  return (
    <Flex component="span" direction="column" align="center" gap={4} fz={12}>
      {createElement(fileIcon(content_type), { size: 30, stroke: 1.2, 'aria-hidden': true })}
      {ending.length > 0 && ending.length <= 5 && <span>{ending.toUpperCase()}</span>}
      {poster_status === 'pending' && <span>drawing</span>}
      {poster_status === 'failed' && <span>cannot be drawn</span>}
    </Flex>
  );
}

/** A frame and the length of a film, or what this browser cannot show of it. */
function Film({ url, poster, icon }: { url: string; poster: string | undefined; icon: ReactNode }) {
  const [seconds, setSeconds] = useState<number | null>(null);
  const [lacks, setLacks] = useState('');
  if (lacks)
    return (
      <>
        {poster ? <img src={poster} alt="" loading="lazy" className="poster-image" /> : icon}
        <span className="poster-mark">{lacks}</span>
      </>
    );
  return (
    <>
      <video
        // A moment after the start: the first frame is often black.
        src={poster ? url : `${url}#t=0.1`}
        poster={poster}
        preload="metadata"
        muted
        playsInline
        tabIndex={-1}
        aria-hidden
        className="poster-image"
        onLoadedMetadata={({ currentTarget: { duration, videoWidth } }) =>
          videoWidth > 0 ? setSeconds(duration) : setLacks('no picture here')
        }
        onError={() => setLacks('cannot be played here')}
      />
      <span className="poster-play">
        <IconPlayerPlayFilled size={18} aria-hidden />
      </span>
      {seconds !== null && Number.isFinite(seconds) && (
        <span className="poster-mark">{sayTime(Math.round(seconds))}</span>
      )}
    </>
  );
}

const sheet = { pos: 'absolute', inset: 0, px: 14, py: 12, bg: '#ffffff', c: '#1c1a17', fz: 11, lh: 1.5 } as const;

function FirstLines({ url }: { url: string }) {
  const { data } = useText(url, url, 1_200);
  return (
    <Box component="span" {...sheet} className="poster-text breaks" dir="auto">
      {data?.decode().text ?? ''}
    </Box>
  );
}

/** Beside the name below a poster. */
export const posterCaption = ({ status, size_bytes }: PreviewedFile): string =>
  status === 'uploaded' ? sayBytes(size_bytes) : status === 'deleted' ? 'no longer kept' : 'not uploaded';
