import { ActionIcon, Box, Skeleton, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '../look/icons.ts';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Failure } from '../page/page.tsx';
import { sayCount } from './comments.ts';
import { StageWords } from './other-stage.tsx';
import type { PDFDocumentProxy } from './pdf.ts';
import { Pins } from './pins.tsx';
import { usePinch, useSize } from './use-zoom.ts';
import type { StageProps } from './view-file.ts';
import type { Size } from './zoom.ts';
import { ZoomBar, ZoomGroup } from './zoom-bar.tsx';

type Pdf = { pdf: PDFDocumentProxy; first: Size };

export function PdfStage(props: StageProps) {
  const { file, onDetail } = props;
  const [opened, setOpened] = useState<Pdf | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  const tell = useEffectEvent((words: string) => onDetail?.(words));
  useEffect(() => {
    if (!file.url) return;
    let isOver = false;
    const task = openPages(file.url, (pages) => {
      if (isOver) return;
      setOpened(pages);
      tell(sayCount(pages.pdf.numPages, 'page'));
    });
    task.catch((error: Error) => !isOver && setFault(error));
    return () => {
      isOver = true;
      task.then((close) => close()).catch(() => {});
    };
  }, [file.url, tries]);
  if (fault)
    return (
      <StageWords>
        <Failure error={fault} retry={() => (setFault(null), setTries(tries + 1))} />
      </StageWords>
    );
  if (!opened)
    return (
      <StageWords role="status" aria-label="Loading">
        <Skeleton height={480} width={340} />
      </StageWords>
    );
  return <Pages {...props} {...opened} />;
}

/** The library is fetched when a PDF is opened, not before. */
async function openPages(url: string, onOpen: (pages: Pdf) => void): Promise<() => void> {
  const { openPdf } = await import('./pdf.ts');
  const task = openPdf(url);
  const pdf = await task.promise;
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  onOpen({ pdf, first: { width, height } });
  return () => void task.destroy();
}

const widest = 860;
/** From this many pages on, their thumbnails stand beside them. */
const many = 4;

function Pages(props: StageProps & Pdf) {
  const { pdf, first, comments, selected, onHere } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const room = useSize(scroller);
  const [zoom, setZoom] = useState(1);
  const [isDrawn, setDrawn] = useState(false);
  const page = useCurrentPage(scroller);
  const go = (to: number) => scroller.current?.children[to - 1]?.scrollIntoView({ block: 'start' });
  const place = comments.find(({ id }) => id === selected)?.place?.page;
  useEffect(() => {
    if (place !== undefined) scroller.current?.children[place - 1]?.scrollIntoView({ block: 'nearest' });
  }, [place, selected]);
  useEffect(() => {
    onHere?.(() => ({ page }));
    return () => onHere?.(null);
  }, [onHere, page]);
  const zoomBy = (by: number) => setZoom((now) => Math.min(Math.max(now * by, 0.25), 6));
  const pinch = usePinch(zoomBy);
  const width = Math.round(Math.min(Math.max((room?.width ?? 0) - 64, 200), widest) * zoom);
  const count = isDrawn ? pdf.numPages : 1;
  return (
    <div className="stage stage-pdf" data-testid="stage">
      {pdf.numPages >= many && <Thumbs pdf={pdf} first={first} page={page} count={count} onGo={go} />}
      {/* Scrolls, so keys must be able to reach it. */}
      <div ref={scroller} className="pages" role="log" aria-live="off" aria-label="Pages" tabIndex={0} {...pinch}>
        {room &&
          Array.from({ length: count }, (_, index) => (
            <Sheet key={index} {...props} page={index + 1} width={width} onDrawn={() => setDrawn(true)} />
          ))}
      </div>
      <ZoomBar scale={width / first.width} onZoom={zoomBy} onFit={() => setZoom(1)}>
        <ZoomGroup>
          <ActionIcon aria-label="Page before" onClick={() => go(page - 1)} disabled={page <= 1}>
            <IconChevronUp size={16} />
          </ActionIcon>
          <span className="numbers">{`page ${page} of ${pdf.numPages}`}</span>
          <ActionIcon aria-label="Next page" onClick={() => go(page + 1)} disabled={page >= pdf.numPages}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </ZoomGroup>
      </ZoomBar>
    </div>
  );
}

type SheetProps = StageProps & Pdf & { page: number; width: number; onDrawn: () => void };

const Sheet = ({ pdf, first, page, width, comments, onPlace, onDrawn, ...shown }: SheetProps) => (
  <Box className="pdf-page" pos="relative" w="max-content" m="0 auto 14px" bg="#ffffff">
    <PdfPage {...{ pdf, first, page, width, onDrawn }} label={`Page ${page} of ${pdf.numPages}`} />
    <Pins
      {...shown}
      page={page}
      comments={comments.filter(({ place }) => place?.page === page)}
      onPlace={onPlace && ((box) => onPlace({ page, box }))}
    />
  </Box>
);

const Thumbs = ({ pdf, first, page, count, onGo }: Pdf & { page: number; count: number; onGo(page: number): void }) => (
  <Box className="pdf-thumbs wide-only" px={14} py={8}>
    {Array.from({ length: count }, (_, index) => (
      <UnstyledButton
        key={index}
        className="pdf-thumb"
        aria-label={`Page ${index + 1}`}
        aria-current={page === index + 1 ? 'page' : undefined}
        onClick={() => onGo(index + 1)}
      >
        <PdfPage pdf={pdf} first={first} page={index + 1} width={72} />
      </UnstyledButton>
    ))}
  </Box>
);

type PageProps = Pdf & { page: number; width: number; label?: string; onDrawn?: () => void };

/** Drawn once it is near the window, and again when its width changes. Until then as high as the first. */
function PdfPage({ pdf, first, page, width, label, onDrawn }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(page === 1);
  const [size, setSize] = useState(first);
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

/** The page that holds the middle of the window. */
function useCurrentPage(scroller: RefObject<HTMLDivElement | null>): number {
  const [page, setPage] = useState(1);
  useEffect(() => {
    const element = scroller.current;
    const read = () => {
      if (!element) return;
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
      const after = [...element.children].findIndex((child) => child.getBoundingClientRect().bottom > middle);
      setPage(after === -1 ? Math.max(element.children.length, 1) : after + 1);
    };
    element?.addEventListener('scroll', read, { passive: true });
    return () => element?.removeEventListener('scroll', read);
  }, [scroller]);
  return page;
}
