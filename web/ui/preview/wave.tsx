import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { peaksOf, sayTime } from './length.ts';
import { fetchFile } from './previewed.ts';

const bars = 48;

/** The form of a sound, and how long it runs. Otherwise an icon: if it is large or cannot be read. */
export function Wave({ url, small, fallback }: { url: string; small: boolean; fallback: ReactNode }) {
  const wave = useWave(url, bars, small);
  if (!wave) return fallback;
  return (
    <>
      <svg width="80%" height="60%" fill="var(--second)" viewBox={`0 0 ${bars * 4} 80`} aria-hidden>
        {wave.peaks.map((peak, index) => {
          const height = Math.max(2, peak * 76);
          return <rect key={index} x={index * 4} y={40 - height / 2} width={2.4} height={height} rx={1.2} />;
        })}
      </svg>
      <span className="poster-mark">{sayTime(Math.round(wave.seconds))}</span>
    </>
  );
}

/** Undefined until the sound is read, or if it cannot be. */
export const useWave = (url: string | null, count: number, isRead: boolean) =>
  useQuery({
    queryKey: ['wave', url, count],
    queryFn: async () => {
      const bytes = await (await fetchFile(url ?? '')).arrayBuffer();
      // The rate only has to be enough for the form.
      const sound = await new OfflineAudioContext(1, 1, 8_000).decodeAudioData(bytes);
      return { peaks: peaksOf(sound.getChannelData(0), count), seconds: sound.duration };
    },
    enabled: isRead && url !== null,
    staleTime: 'static',
  }).data;
