import { tag, tiffOf } from './tiff.ts';

/** The merged picture of a PSD or PSB as TIFFs: both store rows in the same way. Layers are not read. */
type Merged = { colours: Buffer; opacity: Buffer | null };
type Psd = { width: number; height: number; merge(): Merged };

type Header = { isLarge: boolean; channels: number; width: number; height: number; depth: number; mode: number };
type Strip = { at: number; length: number };

/** For each colour mode of a PSD, the mode of a TIFF and the number of channels. */
const modes: Record<number, { photometric: number; channels: number }> = {
  0: { photometric: 0, channels: 1 }, // bitmap: 1 is black
  1: { photometric: 1, channels: 1 },
  2: { photometric: 3, channels: 1 },
  3: { photometric: 2, channels: 3 },
  4: { photometric: 5, channels: 4 },
  8: { photometric: 1, channels: 1 }, // duotone, shown as grey
};
const indexed = 2;
const cmyk = 4;

const packBits = 32_773;
const resourceIds = { profile: 1_039, version: 1_057 };
/** The limit of PSB; that of PSD is 30,000. */
const mostSide = 300_000;

/** Marks a file of 16 bits whose merged picture is transparent. */
const transparentMark = '8BIMMt16';

export function readPsd(bytes: Buffer): Psd {
  const header = {
    isLarge: bytes.readUInt16BE(4) === 2,
    channels: bytes.readUInt16BE(12),
    height: bytes.readUInt32BE(14),
    width: bytes.readUInt32BE(18),
    depth: bytes.readUInt16BE(22),
    mode: bytes.readUInt16BE(24),
  };
  if (Math.max(header.width, header.height) > mostSide) throw new Error('No such file has so many rows.');
  return { width: header.width, height: header.height, merge: () => merge(bytes, header) };
}

function merge(bytes: Buffer, header: Header): Merged {
  const { isLarge, channels, mode, depth } = header;
  const colour = modes[mode];
  if (!colour || channels < colour.channels || depth > 16) throw new Error('The colours cannot be drawn.');
  const palette = sectionAt(bytes, 26);
  const resources = sectionAt(bytes, palette.end);
  const layers = sectionAt(bytes, resources.end, isLarge);
  const { profile, version } = resourcesOf(resources.body);
  if (version?.[4] === 0) throw new Error('The file was saved without its merged picture.');
  const { isPacked, strips } = stripsOf(bytes, layers.end, header, Math.min(channels, colour.channels + 1));
  const common = {
    [tag.width]: [header.width],
    [tag.height]: [header.height],
    [tag.bitsPerSample]: [depth],
    [tag.compression]: [isPacked ? packBits : 1],
    [tag.rowsPerStrip]: [1],
  };
  const planes = (first: number, count: number, tags: Record<number, number[] | Uint8Array>) => {
    const rows = strips.slice(first * header.height, (first + count) * header.height);
    const places = {
      [tag.stripOffsets]: rows.map(({ at }) => at),
      [tag.stripByteCounts]: rows.map((row) => row.length),
    };
    return tiffOf(
      { ...common, ...tags, ...places, [tag.samplesPerPixel]: [count], [tag.planarConfig]: [count > 1 ? 2 : 1] },
      bytes,
    );
  };
  if (mode === cmyk) invert(bytes, strips.slice(0, 4 * header.height), isPacked);
  const opacity =
    channels > colour.channels && isTransparent(layers.body, isLarge)
      ? planes(colour.channels, 1, { [tag.photometric]: [1] })
      : null;
  const colours = planes(0, colour.channels, {
    [tag.photometric]: [colour.photometric],
    ...(mode === indexed ? { [tag.colorMap]: Array.from(palette.body.subarray(0, 768), (value) => value * 257) } : {}),
    ...(profile ? { [tag.profile]: profile } : {}),
  });
  return { colours, opacity };
}

function sectionAt(bytes: Buffer, at: number, isLong = false): { body: Buffer; end: number } {
  const start = at + (isLong ? 8 : 4);
  const end = start + (isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at));
  if (end > bytes.length) throw new Error('The file is cut off.');
  return { body: bytes.subarray(start, end), end };
}

function resourcesOf(body: Buffer): { profile?: Buffer; version?: Buffer } {
  const resources: { profile?: Buffer; version?: Buffer } = {};
  for (let at = 0; at + 12 <= body.length;) {
    const id = body.readUInt16BE(at + 4);
    const name = (body[at + 6] ?? 0) + 1;
    const { body: data, end } = sectionAt(body, at + 6 + name + (name % 2));
    if (id === resourceIds.profile) resources.profile = data;
    if (id === resourceIds.version) resources.version = data;
    at = end + (end % 2);
  }
  return resources;
}

/** A negative number of layers says that the first channel after the colours is the opacity. */
const isTransparent = (layers: Buffer, isLarge: boolean): boolean => {
  const at = isLarge ? 8 : 4;
  return (layers.length >= at + 2 && layers.readInt16BE(at) < 0) || layers.includes(transparentMark);
};

/** The rows of the first `planes` channels, in order. A list of the lengths of packed rows comes first. */
function stripsOf(bytes: Buffer, at: number, header: Header, planes: number): { isPacked: boolean; strips: Strip[] } {
  const { isLarge, channels, width, height, depth } = header;
  const compression = bytes.readUInt16BE(at);
  if (compression > 1) throw new Error('The compression cannot be read.');
  const isPacked = compression === 1;
  const rows = planes * height;
  const countBytes = isLarge ? 4 : 2;
  const table = bytes.subarray(at + 2, at + 2 + rows * countBytes);
  let place = at + 2 + (isPacked ? channels * height * countBytes : 0);
  const strips = Array.from({ length: rows }, (_, row) => {
    const length = isPacked ? table.readUIntBE(row * countBytes, countBytes) : Math.ceil((width * depth) / 8);
    const strip = { at: place, length };
    place += length;
    return strip;
  });
  if (place > bytes.length) throw new Error('The file is cut off.');
  return { isPacked, strips };
}

/** A TIFF stores the complement of each ink value. The count bytes of packed rows stay. */
function invert(bytes: Buffer, strips: Strip[], isPacked: boolean): void {
  for (const { at, length } of strips) {
    const end = at + length;
    for (let place = at; place < end;) {
      let run = end - place;
      if (isPacked) {
        const count = bytes.readInt8(place++);
        run = count === -128 ? 0 : count < 0 ? 1 : count + 1;
      }
      for (const last = Math.min(place + run, end); place < last; place++) bytes[place] = (bytes[place] ?? 0) ^ 0xff;
    }
  }
}

/** Photoshop blends the merged picture with white. This removes that white where pixels are not opaque. */
export function withoutWhite(colours: Uint8Array, opacity: Uint8Array): Uint8Array {
  const rgba = new Uint8ClampedArray(4 * opacity.length);
  for (const [at, alpha] of opacity.entries()) {
    for (let channel = 0; channel < 3 && alpha > 0; channel++)
      rgba[4 * at + channel] = 255 - ((255 - (colours[3 * at + channel] ?? 0)) * 255) / alpha;
    rgba[4 * at + 3] = alpha;
  }
  return new Uint8Array(rgba.buffer);
}
