import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import { deadlines } from '../../lib/deadlines.ts';
import { type Film, isPicturePlayed, readFilm } from './film.ts';
import { type Ended, type FilmFile, runFfmpeg, words } from './film-process.ts';

/** What a film has. `film`: null if ffmpeg cannot read it. */
export async function lookAtFilm(ffmpeg: string, file: FilmFile, stopped: AbortSignal): Promise<LookedAt> {
  const after = words('-t 0 -map 0:V:0? -map 0:a:0? -c copy -f null -');
  const ended = await runFfmpeg(ffmpeg, file, { after }, { milliseconds: deadlines.film.read, stopped });
  return { film: ended.killed ? null : readFilm(file.format, ended.log), ended };
}
type LookedAt = { film: Film | null; ended: Ended };

/** The longer side of a copy in pixels, and kilobits a second: of its picture at most, and of its sound. */
const side = 1_920;
const mostKilobits = 8_000;
const soundKilobits = 160;

const name = 'copy.mp4';

export type Copied = { path: string; bytes: number } | (Pick<Ended, 'killed'> & { path: null; reason: string });

/** A copy with the same frames at the same times, so that comments stay on theirs. It has no metadata. */
export async function copyFilm(ffmpeg: string, file: FilmFile, film: Film, stopped: AbortSignal): Promise<Copied> {
  const isKept = film.picture !== null && isPicturePlayed(film.picture);
  const after = [
    ...words('-map 0:V:0 -map 0:a:0? -sn -dn -map_metadata -1 -map_chapters -1'),
    ...(isKept ? words('-c:v copy') : encoding(film)),
    ...words(film.audio === 'aac' ? '-c:a copy' : `-c:a aac -b:a ${soundKilobits}k -ac 2`),
    ...words(`-max_error_rate 0.05 -movflags +faststart -f mp4 ${name}`),
  ];
  const path = join(file.folder, name);
  await rm(path, { force: true });
  const limits = { milliseconds: deadlines.film.copy, mostBytes: maxFileBytes, stopped };
  const { reason, killed } = await runFfmpeg(ffmpeg, file, { after }, limits);
  if (reason !== null) return { path: null, reason, killed };
  const { size: bytes } = await stat(path);
  if (bytes > maxFileBytes) return { path: null, reason: 'its copy would be too large', killed };
  return { path, bytes };
}

const longest = `min(1,${side}/max(iw*sar,ih))`;
/** Even, as 4:2:0 needs them, with square pixels. */
const filters = [
  'yadif=deint=interlaced',
  `scale=w='max(2,2*round(iw*sar*${longest}/2))':h='max(2,2*round(ih*${longest}/2))'`,
  'setsar=1',
].join(',');

/** Keeps the time base of the film. Level 4.2 allows 1,080 lines at 60 frames a second. */
function encoding({ seconds }: Film): string[] {
  const fitting = seconds === null ? mostKilobits : (0.9 * maxFileBytes * 8) / 1_000 / seconds - soundKilobits;
  const kilobits = Math.round(Math.max(100, Math.min(mostKilobits, fitting)));
  return words(
    `-c:v libx264 -preset veryfast -crf 21 -maxrate ${kilobits}k -bufsize ${kilobits}k -pix_fmt yuv420p -level:v 4.2 ` +
      `-vf ${filters} -fps_mode vfr -enc_time_base -1 -threads 2`,
  );
}
