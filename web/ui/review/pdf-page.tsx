import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { PDFDocumentProxy } from './pdf.ts';
import type { Size } from './zoom.ts';

type Props = {
  pdf: PDFDocumentProxy;
  /** From 1. */
  page: number;
  width: number;
  /** Of the first page, until this one is read. */
  assumed: Size;
  label?: string;
  onDrawn?: () => void;
};

/** Drawn once it is near the window, and again when its width changes. */
export function PdfPage({ pdf, page, width, assumed, label, onDrawn }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(page === 1);
  const [size, setSize] = useState(assumed);
  const tellDrawn = useEffectEvent(() => onDrawn?.());
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '600px',
    });
    if (canvas.current) observer.observe(canvas.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isNear || !canvas.current) return;
    const element = canvas.current;
    let stop = () => {};
    let isOver = false;
    const draw = async () => {
      const [proxy, { drawPage }] = await Promise.all([pdf.getPage(page), import('./pdf.ts')]);
      if (isOver) return;
      const viewport = proxy.getViewport({ scale: 1 });
      setSize({ width: viewport.width, height: viewport.height });
      const drawing = drawPage(proxy, element, width);
      ({ stop } = drawing);
      await drawing.done;
      if (!isOver) tellDrawn();
    };
    // The document is closed when another file is opened.
    draw().catch(() => {});
    return () => {
      isOver = true;
      stop();
    };
  }, [pdf, page, width, isNear]);
  const height = (width * size.height) / size.width;
  return (
    <canvas
      ref={canvas}
      style={{ display: 'block', width, height }}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}
