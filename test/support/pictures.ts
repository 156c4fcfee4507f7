import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Two colours one above the other, so that a picture which was turned is noticed. */
export const twoColours = (width = 1_600, height = 1_200) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: { create: { width, height: height / 2, channels: 3, background: 'blue' } }, gravity: 'south' },
  ]);

/** A frame of a video, as a browser sends it. */
export const frame = async (width = 320, height = 180): Promise<string> =>
  (await twoColours(width, height).jpeg().toBuffer()).toString('base64');

/** The colour at a place of a picture, in parts of its width and height. */
export async function colourAt(picture: Buffer, across: number, down: number): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = Math.floor(info.height * down) * info.width + Math.floor(info.width * across);
  const [red = 0, green = 0, blue = 0] = data.subarray(pixel * 3);
  if (red > 200 && green > 200 && blue > 200) return 'white';
  return red > 150 ? 'red' : blue > 150 ? 'blue' : `${red} ${green} ${blue}`;
}

const crcs = Array.from({ length: 256 }, (_, n) =>
  Array.from({ length: 8 }).reduce<number>((crc) => (crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1), n),
);
const crcOf = (bytes: Buffer) =>
  ~bytes.reduce((crc, byte) => (crcs[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8), 0xffffffff) >>> 0;

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crcOf(body));
  return Buffer.concat([length, body, crc]);
}

/** A valid black PNG of few bytes, of whatever size. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 1; // a bit a pixel, grey
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

/** A PDF of these objects; the first is the catalog. Content streams are compressed. */
export function pdf(...objects: (string | { content: Buffer | string; more?: string })[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const size = () => parts.reduce((sum, { length }) => sum + length, 0);
  objects.forEach((object, at) => {
    offsets.push(size());
    parts.push(Buffer.from(`${at + 1} 0 obj\n`));
    if (typeof object === 'string') parts.push(Buffer.from(object));
    else {
      const bytes = deflateSync(object.content);
      parts.push(Buffer.from(`<</Filter/FlateDecode/Length ${bytes.length}${object.more ?? ''}>>stream\n`), bytes);
      parts.push(Buffer.from('\nendstream'));
    }
    parts.push(Buffer.from('\nendobj\n'));
  });
  const xref = size();
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`));
  parts.push(Buffer.from(`trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF`));
  return Buffer.concat(parts);
}

/** One page that draws this. Object 5 is Helvetica as /F1, object 6 the form /X. */
export const pageThatDraws = (content: Buffer | string, form: string | { content: string; more: string } = '<<>>') =>
  pdf(
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>',
    { content },
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    form,
  );

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (value: number) => u16(Math.floor(value / 65_536), value % 65_536);
const section = (body: Buffer, isLarge = false) =>
  Buffer.concat([Buffer.alloc(isLarge ? 4 : 0), u32(body.length), body]);

type Psd = { channels?: Buffer[]; mode?: number; layers?: number; resources?: Buffer; isLarge?: boolean };

/**
 * A PSD, or a large one (PSB), of eight bits a channel, with these channels of the merged picture. Their
 * rows are packed as Photoshop does: a run of 128 samples at most, or as they are.
 */
export function psd(width: number, height: number, { channels = [], mode = 3, ...more }: Psd = {}): Buffer {
  const { layers = 0, resources = Buffer.alloc(0), isLarge = false } = more;
  const rows = channels.flatMap((channel) =>
    Array.from({ length: height }, (_, row) => packed(channel.subarray(row * width, (row + 1) * width))),
  );
  const layerInfo = section(Buffer.concat([section(u16(layers & 65_535), isLarge), Buffer.alloc(0)]), isLarge);
  const header = [u16(isLarge ? 2 : 1), Buffer.alloc(6), u16(channels.length), u32(height), u32(width), u16(8, mode)];
  const counts = rows.map(({ length }) => (isLarge ? u32(length) : u16(length)));
  const parts = [Buffer.from('8BPS'), ...header, section(Buffer.alloc(0)), section(resources), layerInfo, u16(1)];
  return Buffer.concat([...parts, ...counts, ...rows]);
}

function packed(row: Buffer): Buffer {
  const runs: Buffer[] = [];
  for (let at = 0; at < row.length;) {
    let end = at + 1;
    while (end < row.length && end - at < 128 && row[end] === row[at]) end++;
    runs.push(Buffer.from(end - at > 1 ? [257 - (end - at), row[at] ?? 0] : [0, row[at] ?? 0]));
    at = end;
  }
  return Buffer.concat(runs);
}

/** A channel whose upper half has one value, and whose lower half another. */
export const halves = (width: number, height: number, upper: number, lower: number): Buffer =>
  Buffer.alloc(width * height, upper).fill(lower, (width * height) / 2);

/** An EPS of DOS: addresses of its program and of a TIFF that looks like it. */
export function eps(preview: Buffer, program = '%!PS-Adobe-3.0 EPSF-3.0\n'): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32BE(0xc5d0d3c6);
  header.writeUInt32LE(30, 4);
  header.writeUInt32LE(program.length, 8);
  header.writeUInt32LE(30 + program.length, 20);
  header.writeUInt32LE(preview.length, 24);
  return Buffer.concat([header, Buffer.from(program), preview]);
}
