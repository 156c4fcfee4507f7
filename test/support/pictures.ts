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
