import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sayLength, wavePeaks } from './length.ts';

const bars = 48;

type Props = { url: string; small: boolean; fallback: ReactNode };

/** The form of a sound, and how long it runs. Otherwise an icon: if it is large or cannot be read. */
export function Wave({ url, small, fallback }: Props) {
  const { data } = useQuery({
    queryKey: ['wave', url],
    queryFn: () => readWave(url),
    enabled: small,
    staleTime: Infinity,
  });
  if (!data) return fallback;
  return (
    <>
      <svg width="80%" height="60%" fill="var(--second)" viewBox={`0 0 ${bars * 4} 80`} aria-hidden>
        {data.peaks.map((peak, index) => {
          const height = Math.max(2, peak * 76);
          return <rect key={index} x={index * 4} y={40 - height / 2} width={2.4} height={height} rx={1.2} />;
        })}
      </svg>
      <span className="poster-mark">{sayLength(data.seconds)}</span>
    </>
  );
}

async function readWave(url: string): Promise<{ peaks: number[]; seconds: number }> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The file answered ${answer.status}.`);
  // The rate only has to be enough for the form.
  const sound = await new OfflineAudioContext(1, 1, 8_000).decodeAudioData(await answer.arrayBuffer());
  return { peaks: wavePeaks(sound.getChannelData(0), bars), seconds: sound.duration };
}
