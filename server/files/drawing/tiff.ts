/** Values of a tag: whole numbers, or bytes as they are. */
type Tags = Record<number, number[] | Uint8Array>;

export const tag = {
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfig: 284,
  colorMap: 320,
  extraSamples: 338,
  profile: 34_675,
};

const types = { long: 4, undefined: 7 };

/** A big-endian TIFF around samples that lie in `data`, so that they need no decoder of our own. */
export function tiffOf(tags: Tags, data: Uint8Array): Buffer {
  // Numeric keys of an object are listed in ascending order, which a TIFF requires.
  const entries = Object.entries(tags).map(([id, value]) => ({ id: Number(id), value }));
  const lengthOf = (value: number[] | Uint8Array) => (Array.isArray(value) ? 4 * value.length : value.length);
  const far = entries.filter(({ value }) => lengthOf(value) > 4);
  const directory = 8 + 2 + 12 * entries.length + 4;
  const start = far.reduce((sum, { value }) => sum + lengthOf(value), directory);
  const file = Buffer.alloc(start + data.length);
  file.write('MM\0*\0\0\0\b', 'latin1');
  let at = file.writeUInt16BE(entries.length, 8);
  let farAt = directory;
  for (const { id, value } of entries) {
    at = file.writeUInt16BE(id, at);
    at = file.writeUInt16BE(Array.isArray(value) ? types.long : types.undefined, at);
    at = file.writeUInt32BE(value.length, at);
    const isFar = lengthOf(value) > 4;
    if (isFar) file.writeUInt32BE(farAt, at);
    let valueAt = isFar ? farAt : at;
    const shift = id === tag.stripOffsets ? start : 0;
    if (Array.isArray(value)) for (const number of value) valueAt = file.writeUInt32BE(number + shift, valueAt);
    else file.set(value, valueAt);
    if (isFar) farAt += lengthOf(value);
    at += 4;
  }
  file.set(data, start);
  return file;
}

/** `rgba`: all rows, from the top. */
export const tiffOfPixels = (
  rgba: Uint8Array,
  { width, height }: { width: number; height: number },
  profile: Uint8Array | null,
): Buffer =>
  tiffOf(
    {
      [tag.width]: [width],
      [tag.height]: [height],
      [tag.bitsPerSample]: [8],
      [tag.compression]: [1],
      [tag.photometric]: [2],
      [tag.stripOffsets]: [0],
      [tag.samplesPerPixel]: [4],
      [tag.rowsPerStrip]: [height],
      [tag.stripByteCounts]: [rgba.length],
      [tag.extraSamples]: [2],
      ...(profile ? { [tag.profile]: profile } : {}),
    },
    rgba,
  );
