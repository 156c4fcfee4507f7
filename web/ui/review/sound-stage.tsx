import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBack } from '../page/line.ts';
import { useMoment } from './film-stage.tsx';
import { Again, OtherStage, StageWords } from './other-stage.tsx';
import { sayTime } from '../preview/length.ts';
import { sayCannotPlay, useFilmIndex } from '../preview/film.ts';
import { type Fault, faultOf } from '../preview/previewed.ts';
import { useWave } from '../preview/wave.tsx';
import { TimeLine } from './time-line.tsx';
import { usePlayer } from './use-player.ts';
import type { StageProps } from './view-file.ts';

export function SoundStage(props: StageProps) {
  const { file, onDetail } = props;
  const sound = useRef<HTMLAudioElement>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const again = () => setFault(null);
  useBack(fault === 'lost', again);
  const player = usePlayer(sound, fault ? null : file.url);
  useMoment(props, player);
  const tellLength = useEffectEvent(() => onDetail?.(sayTime(Math.floor(player.duration))));
  useEffect(() => {
    if (player.duration > 0) tellLength();
  }, [player.duration]);
  const codec = useFilmIndex(file, fault === 'broken' ? file.url : null)?.sound;
  if (fault === 'lost')
    return (
      <OtherStage file={file} words="The connection broke off while the sound was loading.">
        <Again onClick={again} />
      </OtherStage>
    );
  if (fault) return <OtherStage file={file} words={sayCannotPlay('this sound', codec)} />;
  return (
    <>
      <StageWords data-testid="stage">
        <Wave url={file.url} size={file.size_bytes} done={player.duration > 0 ? player.time / player.duration : 0} />
        {file.url && (
          <audio
            ref={sound}
            src={file.url}
            preload="auto"
            aria-label={file.file_name}
            onError={() => void faultOf(file.url).then(setFault)}
          />
        )}
      </StageWords>
      <TimeLine {...props} player={player} />
    </>
  );
}

/** Larger files are played, but not decoded as a whole. */
const largestWave = 25_000_000;
const bars = 160;

function Wave({ url, size, done }: { url: string | null; size: number; done: number }) {
  // Without a wave form the sound plays all the same.
  const peaks = useWave(url, bars, size <= largestWave)?.peaks ?? [];
  return (
    <svg width="min(90%, 900px)" height={160} viewBox={`0 0 ${bars * 4} 100`} preserveAspectRatio="none" aria-hidden>
      {Array.from({ length: bars }, (_, index) => {
        const height = Math.max((peaks[index] ?? 0) * 96, 2);
        const fill = index / bars < done ? 'var(--accent)' : 'var(--strong-line)';
        return <rect key={index} fill={fill} x={index * 4} width={2} y={50 - height / 2} height={height} rx={1} />;
      })}
    </svg>
  );
}
