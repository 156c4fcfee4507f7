/**
 * Reads a file; writes its width and height in pixels, or zeros, and then its poster. Runs in a process
 * of its own, with the limits of `draw-poster.ts`.
 */
import { buffer } from 'node:stream/consumers';
import type { Raw, Sharp } from 'sharp';
import { openHeif } from './drawing/heif.ts';
import { readPsd, withoutWhite } from './drawing/psd.ts';
import { refuseHeavy } from './drawing/svg.ts';
import { tiffOfPixels } from './drawing/tiff.ts';

/** Pixels of a source at most, and of the longer side of a poster whose bytes would be too many. */
const mostPixels = 120_000_000;
const small = 1_024;
const quality = 80;

/** What is drawn of all that the library of pictures recognises. */
const pictures = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'heif', 'svg'];

const [pdfLibrary = '', side, mostBytes, only = ''] = process.argv.slice(2);
const longest = Number(side);
const bytes = await buffer(process.stdin);
let hasSize = false;
const poster = await draw();
if (!hasSize) writeSize({ width: 0, height: 0 });
const picture = poster.length > Number(mostBytes) ? await encode((await load())(poster), small) : poster;
process.stdout.write(picture, () => process.exit(0));

/** Chooses by the bytes, not by the declared type. */
async function draw(): Promise<Uint8Array> {
  if (only === '' && beginsWith('%PDF')) return drawPdf();
  if (only === '' && beginsWith('8BPS')) return drawPsd();
  if (only === '' && beginsWith('\xc5\xd0\xd3\xc6')) return drawPreview();
  // libvips refuses the brand of AVIF sequences, and draws them under that of pictures.
  if (beginsWith('ftypavis', 4)) bytes.write('avif', 8);
  return drawPicture();
}

function beginsWith(text: string, at = 0): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}

/** Written first, so that a picture which cannot be drawn keeps its size. Vectors have none. */
function writeSize({ width, height }: { width: number; height: number }): void {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(height, size.writeUInt32BE(width));
  process.stdout.write(size);
  hasSize = true;
}

async function load() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return (input: Uint8Array, more?: object) => sharp(input, { limitInputPixels: mostPixels, failOn: 'error', ...more });
}

/** Without metadata, in the colours of the web. */
function encode(source: Sharp, most = longest): Promise<Buffer> {
  return fit(source, most).webp({ quality }).toBuffer();
}

function fit(source: Sharp, most = longest): Sharp {
  return source.resize(most, most, { fit: 'inside', withoutEnlargement: true });
}

/** The first frame, upright. */
async function drawPicture(): Promise<Uint8Array> {
  const sharp = await load();
  const read = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
  // Before its first line, a PDF may have some other bytes.
  if (!read && only === '' && bytes.subarray(0, 1_024).includes('%PDF-')) return drawPdf();
  const { format = '', compression, width = 0, height = 0, autoOrient = { width, height } } = read ?? {};
  if (!pictures.includes(format) || (only !== '' && format !== only)) throw new Error('The format is not drawn.');
  if (format === 'heif' && compression !== 'av1') return drawHeif();
  if (format === 'svg') refuseHeavy(bytes.toString());
  else writeSize(autoOrient);
  // A vector picture is drawn at the size of the poster.
  const density = format === 'svg' ? { density: await densityOf(sharp, Math.max(width, height)) } : {};
  return encode(sharp(bytes, density).autoOrient());
}

/** Of an SVG of so many pixels at 72 points an inch. Sizes in centimetres grow with its square. */
async function densityOf(sharp: Awaited<ReturnType<typeof load>>, natural: number): Promise<number> {
  const bounded = (times: number) => Math.min(100_000, Math.max(1, 72 * times));
  const times = longest / natural;
  const { width, height } = await sharp(bytes, { density: bounded(times), limitInputPixels: false }).metadata();
  const grown = Math.max(width, height) / natural;
  return bounded(times * Math.sqrt(times / grown));
}

/** Of an EPS, the picture beside its program: the program is not run. */
async function drawPreview(): Promise<Uint8Array> {
  const [at, length] = [bytes.readUInt32LE(20), bytes.readUInt32LE(24)];
  const preview = (await load())(bytes.subarray(at, at + length));
  if ((await preview.metadata()).format !== 'tiff') throw new Error('The EPS has no preview.');
  return encode(preview);
}

/** Made small before its colours are changed, which takes less memory. */
async function drawHeif(): Promise<Uint8Array> {
  const sharp = await load();
  const { width, height, decode } = openHeif(bytes, mostPixels);
  writeSize({ width, height });
  const { rgba, rowPixels, profile } = decode();
  const rows = sharp(rgba, { raw: { width: rowPixels, height, channels: 4 } });
  const pixels = await rawOf(rows.extract({ left: 0, top: 0, width, height }));
  return encode(sharp(tiffOfPixels(pixels.data, pixels.info, profile)));
}

function rawOf(source: Sharp) {
  return fit(source).raw().toBuffer({ resolveWithObject: true });
}

/** The merged picture. */
async function drawPsd(): Promise<Uint8Array> {
  const sharp = await load();
  const psd = readPsd(bytes);
  writeSize(psd);
  if (psd.width * psd.height > mostPixels) throw new Error('The picture has too many pixels.');
  const { colours, opacity } = psd.merge();
  if (!opacity) return encode(sharp(colours));
  const { data, info } = await rawOf(sharp(colours).toColourspace('srgb').removeAlpha());
  const raw: Raw = { width: info.width, height: info.height, channels: 4 };
  return encode(sharp(withoutWhite(data, (await rawOf(sharp(opacity).toColourspace('b-w'))).data), { raw }));
}

/** The first page, on white. */
async function drawPdf(): Promise<Uint8Array> {
  const { createCanvas } = await import('@napi-rs/canvas');
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: mostPixels,
    standardFontDataUrl: `${pdfLibrary}standard_fonts/`,
    cMapUrl: `${pdfLibrary}cmaps/`,
    cMapPacked: true,
    wasmUrl: `${pdfLibrary}wasm/`,
    iccUrl: `${pdfLibrary}iccs/`,
  }).promise;
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: longest / Math.max(width, height) });
  const [across, down] = [viewport.width, viewport.height].map((length) => Math.max(1, Math.round(length)));
  const canvas = createCanvas(across ?? 1, down ?? 1);
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: '#fff' }).promise;
  return canvas.encode('webp', quality);
}
