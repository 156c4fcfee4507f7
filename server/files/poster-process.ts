/** Reads a file, writes its poster. Runs in a process of its own, with the limits of `draw-poster.ts`. */
import { buffer } from 'node:stream/consumers';

/** Pixels: the longer side of a poster, and the most of a source. */
const side = 1_024;
const mostPixels = 120_000_000;
const quality = 80;

const [format = '', pdfLibrary = ''] = process.argv.slice(2);
const bytes = await buffer(process.stdin);
const picture = format === 'pdf' ? await drawPdf() : await drawImage();
process.stdout.write(picture, () => process.exit(0));

/** The first frame, upright, without metadata, in the colours of the web. */
async function drawImage(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const limits = { limitInputPixels: mostPixels, failOn: 'error' as const };
  const source = await sharp(bytes, limits).metadata();
  if (source.format !== format) throw new Error('The bytes have another format.');
  // A vector picture is drawn at the size of the poster.
  const density = format === 'svg' ? { density: densityOf(source.width, source.height) } : {};
  return sharp(bytes, { ...limits, ...density })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer();
}

/** 72 points an inch is the natural size. */
function densityOf(width: number, height: number): number {
  return Math.min(7_200, Math.max(1, (72 * side) / Math.max(width, height)));
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
  const viewport = page.getViewport({ scale: side / Math.max(width, height) });
  const [across, down] = [viewport.width, viewport.height].map((length) => Math.max(1, Math.round(length)));
  const canvas = createCanvas(across ?? 1, down ?? 1);
  await page.render({ canvas: canvas as unknown as HTMLCanvasElement, viewport, background: '#fff' }).promise;
  return canvas.encode('webp', quality);
}
