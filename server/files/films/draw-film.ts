import { Readable } from 'node:stream';
import { deadlines } from '../../lib/deadlines.ts';
import { type Drawn, drawPoster } from '../draw-poster.ts';
import { type FilmFile, runFfmpeg, withFilm } from './film-process.ts';

/** Draws the first frame of a film that is not black. Throws as `drawPoster` does. */
export async function drawFilm(ffmpeg: string, source: Readable, stopped: AbortSignal): Promise<Drawn> {
  const frame = await withFilm(source, stopped, (film) => frameOf(ffmpeg, film, stopped));
  if (frame === null)
    return { size: null, picture: null, reason: 'has no format of films that is read', killed: false };
  if (frame.output.length > 0) return drawPoster(Readable.from([frame.output]), 'image/jpeg', stopped);
  return { size: null, picture: null, reason: frame.reason ?? 'has no picture', killed: frame.killed };
}

/** With square pixels, upright, and as bright as video is. */
const asShown = "scale=w='max(1,round(iw*sar))':h=ih:out_range=tv,setsar=1,format=yuv420p";
/** Of 255, with black at 16: a frame with less brightness on average counts as black. */
const notBlack = 'signalstats,metadata=select:key=lavfi.signalstats.YAVG:value=26:function=greater';

/** Attempts, until one finds a frame: one that is not black, of key frames and then of all; then any. */
const looks = [
  { before: ['-skip_frame', 'nokey', '-t', '60'], filters: `${asShown},${notBlack}` },
  { before: ['-t', '15'], filters: `${asShown},${notBlack}` },
  { before: ['-t', '15'], filters: asShown },
];

async function frameOf(ffmpeg: string, film: FilmFile, stopped: AbortSignal) {
  const until = performance.now() + deadlines.film.poster;
  const look = ({ before, filters }: (typeof looks)[number]) => {
    const after = ['-map', '0:V:0', '-vf', filters, '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '2'];
    const milliseconds = Math.max(1_000, Math.round(until - performance.now()));
    return runFfmpeg(
      ffmpeg,
      film,
      { before, after: [...after, '-f', 'image2pipe', 'pipe:1'] },
      { milliseconds, stopped },
    );
  };
  let frame = await look(looks[0]!);
  for (const next of looks.slice(1)) {
    if (frame.output.length > 0 || frame.killed) break;
    frame = await look(next);
  }
  return frame;
}
