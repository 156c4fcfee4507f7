/** By the code of the track in MP4 and QuickTime. */
const names: Record<string, string> = {
  avc1: 'H.264',
  avc3: 'H.264',
  hvc1: 'H.265',
  hev1: 'H.265',
  dvh1: 'Dolby Vision',
  dvhe: 'Dolby Vision',
  vvc1: 'H.266',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  mp4v: 'MPEG-4 Part 2',
  apcn: 'ProRes 422',
  apch: 'ProRes 422 HQ',
  apcs: 'ProRes 422 LT',
  apco: 'ProRes 422 Proxy',
  ap4h: 'ProRes 4444',
  ap4x: 'ProRes 4444 XQ',
  aprn: 'ProRes RAW',
  aprh: 'ProRes RAW HQ',
  AVdn: 'DNxHD',
  AVdh: 'DNxHR',
  CFHD: 'CineForm',
  jpeg: 'Motion JPEG',
  mjpa: 'Motion JPEG',
  mjpb: 'Motion JPEG',
  mjp2: 'JPEG 2000',
  'png ': 'PNG',
  'rle ': 'QuickTime Animation',
  'dvc ': 'DV',
  dvcp: 'DV',
  dvpp: 'DVCPRO',
  h263: 'H.263',
  s263: 'H.263',
  SVQ3: 'Sorenson Video 3',
  v210: 'uncompressed 10-bit',
  '2vuy': 'uncompressed',
  mp4a: 'AAC',
  alac: 'ALAC',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  'ac-4': 'AC-4',
  dtsc: 'DTS',
  dtsh: 'DTS-HD',
  fLaC: 'FLAC',
  Opus: 'Opus',
  samr: 'AMR',
};

/** Kinds of MPEG streams, where the code is `mp4v` or `mp4a`. */
const streams: Record<number, string> = {
  0x20: 'MPEG-4 Part 2',
  0x6a: 'MPEG-1',
  0x6b: 'MP3',
  0x69: 'MP3',
  0x6c: 'Motion JPEG',
  0x6e: 'PNG',
  0xa5: 'AC-3',
  0xa6: 'E-AC-3',
  0xa9: 'DTS',
};
for (let profile = 0x60; profile <= 0x65; profile++) streams[profile] = 'MPEG-2';

/** By the tag in the head of a WAV. */
const tags: Record<number, string> = {
  2: 'MS ADPCM',
  6: 'A-law',
  7: 'µ-law',
  17: 'IMA ADPCM',
  85: 'MP3',
  8192: 'AC-3',
};
export const nameOfWav = (tag: number): string | null => tags[tag] ?? null;

/** What people call a codec, or its code if that is plain letters. */
export function nameOfCodec(code: string, stream: number | null): string | null {
  if (code.startsWith('xd')) return 'XDCAM (MPEG-2)';
  const ofStream = code.startsWith('mp4') && stream !== null ? streams[stream] : undefined;
  return ofStream ?? names[code] ?? (/^[\w-]{4}$/.test(code) ? code : null);
}
