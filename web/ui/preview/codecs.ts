/** By the code of the track in MP4 and QuickTime, where `_` is a space. */
const codes = `avc1 H.264, avc3 H.264, hvc1 H.265, hev1 H.265, vvc1 H.266, dvh1 Dolby Vision, dvhe Dolby Vision,
av01 AV1, vp08 VP8, vp09 VP9, mp4v MPEG-4 Part 2, apcn ProRes 422, apch ProRes 422 HQ, apcs ProRes 422 LT,
apco ProRes 422 Proxy, ap4h ProRes 4444, ap4x ProRes 4444 XQ, aprn ProRes RAW, aprh ProRes RAW HQ, AVdn DNxHD,
AVdh DNxHR, CFHD CineForm, jpeg Motion JPEG, mjpa Motion JPEG, mjpb Motion JPEG, mjp2 JPEG 2000, png_ PNG,
rle_ QuickTime Animation, dvc_ DV, dvcp DV, dvpp DVCPRO, h263 H.263, s263 H.263, SVQ3 Sorenson Video 3,
v210 uncompressed 10-bit, 2vuy uncompressed, mp4a AAC, alac ALAC, ac-3 AC-3, ec-3 E-AC-3, ac-4 AC-4, dtsc DTS,
dtsh DTS-HD, fLaC FLAC, Opus Opus, samr AMR`;

/** Kinds of MPEG streams, where the code is `mp4v` or `mp4a`, in decimals. */
const streams = `32 MPEG-4 Part 2, 96 MPEG-2, 97 MPEG-2, 98 MPEG-2, 99 MPEG-2, 100 MPEG-2, 101 MPEG-2, 105 MP3,
106 MPEG-1, 107 MP3, 108 Motion JPEG, 110 PNG, 165 AC-3, 166 E-AC-3, 169 DTS`;

/** By the tag in the head of a WAV. */
const tags = '2 MS ADPCM, 6 A-law, 7 µ-law, 17 IMA ADPCM, 85 MP3, 8192 AC-3';

const tableOf = (text: string): Map<string, string> =>
  new Map(text.split(/,\s/).map((entry) => [entry.split(' ', 1).join(), entry.slice(entry.indexOf(' ') + 1)]));
const [namesOfCodes, namesOfStreams, namesOfTags] = [codes, streams, tags].map(tableOf);

export const nameOfWav = (tag: number): string | null => namesOfTags?.get(String(tag)) ?? null;

/** What people call a codec, or its code if that is plain letters. */
export function nameOfCodec(code: string, stream: number | null): string | null {
  if (code.startsWith('xd')) return 'XDCAM (MPEG-2)';
  const ofStream = code.startsWith('mp4') ? namesOfStreams?.get(String(stream)) : undefined;
  return ofStream ?? namesOfCodes?.get(code.replaceAll(' ', '_')) ?? (/^[\w-]{4}$/.test(code) ? code : null);
}
