import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Says of a film what its bytes say, and copies it accordingly. It draws nothing. */
const script = `#!/bin/sh
what=$(tail -c +9 film)
say() { printf '  Duration: 00:00:02.00\\n  Stream #0:0: Video: %s (Main), yuv420p(tv), %s\\n' "$1" "\${2:-320x180 [SAR 1:1]}" >&2; }
case "$*" in
*'-f null'*) case "$what" in
  h264*) say h264 ;;
  none*) ;;
  wide*) say hevc '8000x64 [SAR 999990:1]' ;;
  *) say hevc ;;
  esac ;;
*copy.mp4) case "$what" in
  fail*) exit 1 ;;
  slow*) exec sleep 60 ;;
  large*) exec head -c 150000000 /dev/zero >copy.mp4 ;;
  *) printf 'a copy of %s' "$what" >copy.mp4 ;;
  esac ;;
esac
`;

/** A program in place of ffmpeg, for what does not depend on films. */
export function standInFfmpeg(): { path: string; remove(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-stand-in-'));
  const path = join(folder, 'ffmpeg');
  writeFileSync(path, script, { mode: 0o755 });
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** `h265 one` needs a copy, `h264` none; `fail`, `slow` and `large` say what becomes of the copy. */
export const standInFilm = (what: string): Buffer =>
  Buffer.concat([Buffer.from('\0\0\0\x08ftyp', 'latin1'), Buffer.from(what)]);
