import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program of Debian. A service does not start with one that is not there, so its tests fail without it. */
export const ffmpeg = process.env.FFMPEG ?? '/usr/bin/ffmpeg';

/** A film that ffmpeg makes: `options` after an input of moving bars of so many seconds, and a tone. */
export function makeFilm(
  extension: string,
  options: string,
  { input = 'testsrc=size=320x180:rate=25', seconds = 2 } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-films-test-'));
  try {
    const path = join(folder, `film.${extension}`);
    const inputs = ['-f', 'lavfi', '-i', input, '-f', 'lavfi', '-i', 'sine=frequency=440'];
    execFileSync(ffmpeg, ['-v', 'error', ...inputs, '-t', String(seconds), ...options.split(' '), path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What ffmpeg reads of a film: its log, and the time of each frame of its picture in milliseconds. */
export function readFilm(bytes: Buffer): { log: string; times: number[] } {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-films-test-'));
  try {
    writeFileSync(join(folder, 'film'), bytes);
    const script = '"$0" -hide_banner -i film -map 0:v:0 -c copy -copyts -f framecrc times 2>log; cat times log';
    const log = execFileSync('/bin/sh', ['-c', script, ffmpeg], { cwd: folder, encoding: 'utf8' });
    const [, one = '1', many = '1'] = /#tb 0: (\d+)\/(\d+)/.exec(log) ?? [];
    const times = [...log.matchAll(/^0, +-?\d+, +(-?\d+),/gm)].map(
      ([, at]) => (Number(at) * 1000 * Number(one)) / Number(many),
    );
    return { log, times: times.toSorted((a, b) => a - b).map(Math.round) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
