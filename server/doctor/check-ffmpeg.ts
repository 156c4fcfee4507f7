import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutNetwork } from '../files/films/film-process.ts';
import { deadlines } from '../lib/deadlines.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';

const install = 'Install FFmpeg 5.1 or newer, as Debian has it: apt install ffmpeg. Or leave FFMPEG out.';

/** Whether the program that reads films runs, which version it is, and what films are kept from. */
export async function checkFfmpeg(ffmpeg: string | null): Promise<Finding> {
  if (ffmpeg === null)
    return ok('FFMPEG is not set: the service draws no posters of films and makes no copies of them.');
  const run = promisify(execFile)(ffmpeg, ['-hide_banner', '-version'], { env: {}, timeout: deadlines.doctor.reach });
  const output = await run.then(
    ({ stdout }) => stdout,
    () => null,
  );
  const version = /^ffmpeg version (\S+)/.exec(output ?? '')?.[1];
  if (version === undefined) return fail(`${ffmpeg} does not run, or is not ffmpeg.`, install);
  const [major = 0, minor = 0] = /^n?(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [5, 1];
  if (major * 100 + minor < 501) return warn(`${ffmpeg} is version ${version}: too old to make copies.`, install);
  if (output?.includes('--enable-libx264') === false)
    return warn(`${ffmpeg} ${version} has no libx264, so it makes no copies of films.`, install);
  const network = (await withoutNetwork()).length > 0 ? 'without a network' : 'with no protocol but that of files';
  return ok(`ffmpeg ${version} reads films, ${network}.`);
}
