/** Reads a file, writes its poster. Runs in a process of its own, with the limits of `draw-poster.ts`. */
import { buffer } from 'node:stream/consumers';

/** Pixels: the longer side of a poster, and the most of a source. */
const side = 1_024;
const mostPixels = 120_000_000;
const quality = 80;

/** Elements of an SVG that a `use` draws again. A filter takes as long as a hundred of them. */
const mostRepeated = 10_000;
const filterCosts = 100;
const tag = /<(\/?)([^\s<>"'/=]+)(?=[\s/>])((?:[^<>"']|"[^<"]*"|'[^<']*')*)>/g;

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
  if (format === 'svg') refuseHeavy(bytes.toString());
  // A vector picture is drawn at the size of the poster.
  const density = format === 'svg' ? { density: densityOf(source.width, source.height) } : {};
  return sharp(bytes, { ...limits, ...density })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer();
}

/** An element with an id: what drawing it costs, without what has an id of its own or is drawn by a `use`. */
type Part = { own: number; within: string[]; all?: number };

/** Few bytes would draw for longer than the limit. What this does not see, the limit ends. */
function refuseHeavy(svg: string): void {
  const root: Part = { own: 0, within: [] };
  const parts = new Map([['', root]]);
  const open = [root];
  let elements = 0;
  for (const [, end, name = '', attributes = ''] of svg.matchAll(tag)) {
    if (end) {
      if (open.length > 1) open.pop();
      continue;
    }
    let part = open.at(-1) ?? root;
    const id = /\sid\s*=\s*["']([^"']*)/.exec(attributes)?.[1];
    if (id !== undefined && !parts.has(id)) {
      part.within.push(id);
      parts.set(id, (part = { own: 0, within: [] }));
    }
    elements += 1;
    part.own += /\bfilter\s*[=:]/.test(attributes) ? 1 + filterCosts : 1;
    const used = /(?:^|:)use$/.test(name) && /href\s*=\s*["']#([^"']*)/.exec(attributes)?.[1];
    if (used) part.within.push(used);
    if (!attributes.endsWith('/')) open.push(part);
  }
  if (costOf(root, parts) - elements > mostRepeated) throw new Error('The SVG would take too long to draw.');
}

/** A part that uses itself is not drawn within itself. */
function costOf(part: Part | undefined, parts: ReadonlyMap<string, Part>): number {
  if (!part) return 0;
  if (part.all !== undefined) return part.all;
  part.all = 0;
  return (part.all = part.within.reduce((sum, id) => sum + costOf(parts.get(id), parts), part.own));
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
