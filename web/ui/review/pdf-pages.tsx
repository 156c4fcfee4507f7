import { ActionIcon, Box, Button, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '../look/icons.ts';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBack } from '../page/line.ts';
import { faultOf } from '../preview/previewed.ts';
import type { Outcome, PDFDocumentProxy } from './pdf.ts';
import { Pins } from './pins.tsx';
import { usePinch, useSize } from './use-zoom.ts';
import type { StageProps } from './view-file.ts';
import type { Size } from './zoom.ts';
import { ZoomBar, ZoomGroup } from './zoom-bar.tsx';

export type Pdf = { pdf: PDFDocumentProxy; first: Size; notes: string[] };

const widest = 860;
/** From this many pages on, their thumbnails stand beside them. */
const many = 4;

type PagesProps = StageProps & Pdf & { onAgain: () => void };

export function Pages(props: PagesProps) {
  const { file, pdf, first, comments, selected, onHere } = props;
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
      {pdf.numPages >= many && <Thumbs {...{ file, pdf, first, page, count }} onGo={go} />}
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
          <span className="numbers">
            <span className="wide-only">page </span>
            {`${page} of ${pdf.numPages}`}
          </span>
          <ActionIcon aria-label="Next page" onClick={() => go(page + 1)} disabled={page >= pdf.numPages}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </ZoomGroup>
      </ZoomBar>
    </div>
  );
}

/** `lost`: the file does not come. */
type State = Outcome | 'none' | 'lost';

type SheetProps = PagesProps & { page: number; width: number; onDrawn: () => void };

const words: Partial<Record<State, string>> = {
  partly: 'A part of this page could not be drawn.',
  'other font': 'Some text of this page is in a font that is not in the file. Another stands in for it.',
  none: 'This page could not be drawn.',
  lost: 'The service cannot be reached. This page is drawn when it is back.',
};

function Sheet({ file, pdf, first, notes, page, width, comments, onPlace, onDrawn, onAgain, ...shown }: SheetProps) {
  const [state, setState] = useState<State>('whole');
  useBack(state === 'lost', onAgain);
  const onState = (now: State) => (setState(now), onDrawn());
  const said = [...(page === 1 ? notes : []), words[state]].filter((each) => each !== undefined);
  return (
    <Box w="max-content" m="0 auto 14px">
      {said.length > 0 && (
        <Box role="note" className="second small" w={width} p="8px 0">
          {said.join(' ')}{' '}
          {state === 'lost' && (
            <Button variant="default" mx={8} onClick={onAgain}>
              Try again
            </Button>
          )}
          {state !== 'whole' && page === 1 && file.poster && (
            <>
              <a href={file.poster}>See the poster</a>
              {' · '}
            </>
          )}
          {file.url && (
            <a href={file.url} download={file.file_name}>
              Download the file
            </a>
          )}
        </Box>
      )}
      <Box className="pdf-page" pos="relative" bg="#ffffff">
        <PdfPage {...{ file, pdf, first, page, width, onState }} label={`Page ${page} of ${pdf.numPages}`} />
        <Pins
          {...shown}
          page={page}
          comments={comments.filter(({ place }) => place?.page === page)}
          onPlace={onPlace && ((box) => onPlace({ page, box }))}
        />
      </Box>
    </Box>
  );
}

type ShownPdf = Pick<PagesProps, 'file' | 'pdf' | 'first'>;
type ThumbsProps = ShownPdf & { page: number; count: number; onGo(page: number): void };

const Thumbs = ({ file, pdf, first, page, count, onGo }: ThumbsProps) => (
  <Box className="pdf-thumbs wide-only" px={14} py={8}>
    {Array.from({ length: count }, (_, index) => (
      <UnstyledButton
        key={index}
        className="pdf-thumb"
        aria-label={`Page ${index + 1}`}
        aria-current={page === index + 1 ? 'page' : undefined}
        onClick={() => onGo(index + 1)}
      >
        <PdfPage {...{ file, pdf, first }} page={index + 1} width={72} />
      </UnstyledButton>
    ))}
  </Box>
);

type PageProps = ShownPdf & { page: number; width: number; label?: string; onState?: (state: State) => void };

/** Drawn near the window, and again when its width changes. Until then it is as high as the first page. */
function PdfPage({ file, pdf, first, page, width, label, onState }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isNear, setNear] = useState(page === 1);
  const [size, setSize] = useState(first);
  const tell = useEffectEvent((state: State) => onState?.(state));
  const fault = useEffectEvent(() => faultOf(file.url));
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
      return drawing.done;
    };
    void draw()
      // A page that is stopped, or whose document is closed, fails, too.
      .catch(async () => (!isOver && (await fault()) === 'lost' ? 'lost' : 'none'))
      .then((state) => isOver || (state && tell(state)));
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
