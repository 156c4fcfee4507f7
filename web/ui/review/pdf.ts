import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy, version } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite exports the address of the file
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { shown } from '../preview/previewed.ts';

export type { PDFDocumentProxy };

GlobalWorkerOptions.workerSrc = worker;

/** Where `web/build/pdf-parts.ts` puts the decoders, the character maps and the standard fonts. */
const parts = new URL(`/assets/pdfjs-${version}/`, location.origin).href;

/**
 * No WebAssembly: the policy allows no code that is made at run time. No fonts of the viewer's machine: so a
 * page looks like its poster everywhere. Of a large file only what the shown pages need is fetched.
 */
export const openPdf = (url: string, bytes: number) =>
  getDocument({
    url,
    verbosity: 0,
    useWasm: false,
    wasmUrl: parts,
    cMapUrl: parts,
    standardFontDataUrl: parts,
    useSystemFonts: false,
    ...(bytes > shown.pdf && { disableStream: true, disableAutoFetch: true, rangeChunkSize: 2 ** 19 }),
  });

/** Says what the file has that its pages do not show. */
export async function hiddenIn(pdf: PDFDocumentProxy): Promise<string[]> {
  const [{ info }, attached] = await Promise.all([pdf.getMetadata(), pdf.getAttachments()]);
  const has = info as { IsXFAPresent?: boolean; IsAcroFormPresent?: boolean };
  const notes = [];
  // A form of XFA that also has AcroForm fields is shown.
  if (has.IsXFAPresent && !has.IsAcroFormPresent) notes.push('Only programs of Adobe show the form in this PDF.');
  if (attached?.size === 1) notes.push('A file is attached inside this PDF. Download it to open that.');
  if (attached && attached.size > 1) notes.push(`${attached.size} files are attached inside this PDF.`);
  return notes;
}

/** Pixels that a canvas may have: phones refuse larger ones. */
const mostPixels = 16_000_000;

/** `partly`: the library left something out. */
export type Outcome = 'whole' | 'partly' | 'other font';

/** Draws a page as wide as its canvas is shown. Returns a function that stops it, which rejects `done`. */
export function drawPage(page: PDFPageProxy, canvas: HTMLCanvasElement, width: number) {
  const { width: natural, height } = page.getViewport({ scale: 1 });
  const sharp = (width / natural) * devicePixelRatio;
  const scale = Math.min(sharp, Math.sqrt(mostPixels / (natural * height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport });
  return { done: task.promise.then(() => outcomeOf(page)), stop: () => task.cancel() };
}

/** For a picture that it cannot read the library has null, for a font a text; it reports neither. */
async function outcomeOf(page: PDFPageProxy): Promise<Outcome> {
  const isLost = (part: unknown) => part === null || typeof part === 'string';
  if (([...page.objs] as [string, unknown][]).some(([, part]) => isLost(part))) return 'partly';
  const shared = [...page.commonObjs] as [string, unknown][];
  const doubtful = new Map(shared.filter(([, part]) => isLost(part) || isMissing(part)));
  if (doubtful.size === 0) return 'whole';
  // Pages share their fonts. A page names what it uses.
  const { argsArray } = await page.getOperatorList();
  const used = (argsArray as string[][]).flat().filter((name) => doubtful.has(name));
  if (used.some((name) => isLost(doubtful.get(name)))) return 'partly';
  return used.length > 0 ? 'other font' : 'whole';
}

const isMissing = (font: unknown): boolean => (font as { missingFile?: boolean } | null)?.missingFile === true;
