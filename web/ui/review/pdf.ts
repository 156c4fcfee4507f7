import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite exports the address of the file
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

export type { PDFDocumentProxy };

GlobalWorkerOptions.workerSrc = worker;

/** No WebAssembly: the policy of the pages allows no code that is made at run time. */
export const openPdf = (url: string) => getDocument({ url, useWasm: false, verbosity: 0 });

/** Pixels that a canvas may have: phones refuse larger ones. */
const mostPixels = 16_000_000;

/** Draws a page as wide as its canvas is shown. Returns a function that stops it. */
export function drawPage(page: PDFPageProxy, canvas: HTMLCanvasElement, width: number) {
  const { width: natural, height } = page.getViewport({ scale: 1 });
  const sharp = (width / natural) * devicePixelRatio;
  const scale = Math.min(sharp, Math.sqrt(mostPixels / (natural * height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  // A stopped drawing rejects.
  return { done: task.promise.catch(() => {}), stop: () => task.cancel() };
}
