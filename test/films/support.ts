import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The program of Debian. A service does not start without it, so its tests fail. */
export const ffmpeg = process.env.FFMPEG ?? '/usr/bin/ffmpeg';

/** Works in a folder of its own, and not in this thread: the service of a test shares it. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-films-test-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A film that ffmpeg makes: `options` after an input of moving bars of so many seconds, and a tone. */
export const makeFilm = (
  extension: string,
  options: string,
  { input = 'testsrc=size=320x180:rate=25', seconds = 2 } = {},
): Promise<Buffer> =>
  inFolder(async (cwd) => {
    const inputs = ['-f', 'lavfi', '-i', input, '-f', 'lavfi', '-i', 'sine=frequency=440'];
    await run(ffmpeg, ['-v', 'error', ...inputs, '-t', String(seconds), ...options.split(' '), `film.${extension}`], {
      cwd,
    });
    return readFile(join(cwd, `film.${extension}`));
  });

/** A film as a telephone writes it that was held upright. */
export const turned = (film: Buffer): Promise<Buffer> =>
  inFolder(async (cwd) => {
    await writeFile(join(cwd, 'film.mp4'), film);
    await run(ffmpeg, ['-v', 'error', '-i', 'film.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'turned.mp4'], {
      cwd,
    });
    return readFile(join(cwd, 'turned.mp4'));
  });

/** What ffmpeg reads of a film: its log, and the milliseconds from its first frame to each. */
export const readFilm = (bytes: Buffer): Promise<{ log: string; times: number[] }> =>
  inFolder(async (cwd) => {
    await writeFile(join(cwd, 'film'), bytes);
    const script = '"$0" -hide_banner -i film -map 0:v:0 -c copy -copyts -f framecrc times 2>log; cat times log';
    const { stdout: log } = await run('/bin/sh', ['-c', script, ffmpeg], { cwd });
    const [, parts = '1', ofSecond = '1'] = /#tb 0: (\d+)\/(\d+)/.exec(log) ?? [];
    const ticks = [...log.matchAll(/^0, +-?\d+, +(-?\d+),/gm)].map(([, at]) => Number(at)).toSorted((a, b) => a - b);
    return {
      log,
      times: ticks.map((at) => Math.round(((at - (ticks[0] ?? 0)) * 1000 * Number(parts)) / Number(ofSecond))),
    };
  });
