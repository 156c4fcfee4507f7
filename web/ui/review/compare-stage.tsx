import { Button } from '@mantine/core';
import { IconArrowsHorizontal } from '../look/icons.ts';
import { type CSSProperties, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import { sameWidth, sayDifference, sliderAfter } from './compare.ts';
import type { ReviewComment } from './comments.ts';
import type { Pair } from './pairs.ts';
import { Pins, pinsOf } from './pins.tsx';
import { useHeldKey } from './use-held-key.ts';
import { useShown, useZoom } from './use-zoom.ts';
import { pictureUrl, type ViewFile } from './view-file.ts';
import { percentIn, type Size, type View } from './zoom.ts';
import { ZoomBar } from './zoom-bar.tsx';

export type Sides = { earlier: string; later: string };
type Props = {
  pair: Pair<ViewFile>;
  /** "Delivery 1", "Delivery 2". */
  labels: Sides;
  /** Pins of the earlier round, on both pictures. */
  comments: ReviewComment[];
  selected: string | null;
  onSelect: (id: string) => void;
  isSlider: boolean;
  onDifference: (words: string) => void;
};

/** Two pictures under a slider or side by side, with one zoom for both. */
export function CompareStage({ pair, labels, comments, selected, onSelect, isSlider, onDifference }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const { both, measure } = usePairSize(onDifference);
  const zoom = useZoom(stage, both?.canvas ?? null, isSlider ? 1 : 2);
  const [position, setPosition] = useState(50);
  const slide = (key: string) => () => setPosition(sliderAfter(position, key) ?? position);
  useShortcut('ArrowLeft', 'Slider to the left', isSlider ? slide('ArrowLeft') : null);
  useShortcut('ArrowRight', 'Slider to the right', isSlider ? slide('ArrowRight') : null);
  const [only, setOnly] = useHeldKey(['1', '2']);
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  const clip = only === '1' ? 100 : only === '2' ? 0 : position;
  const surface = surfaceStyle(zoom.view, both?.canvas ?? null);
  const pins = (
    <Pins pins={pinsOf(comments, null)} selected={selected} onSelect={onSelect} draft={null} onPlace={null} />
  );
  const picture = (side: Side, style = {}) => (
    <SidePicture file={pair[side]} label={labels[side]} style={style} onSize={(size) => measure(side, size)} />
  );
  return (
    <div ref={stage} className={`stage compare${zoom.space ? ' panning' : ''}`} {...zoom.touch} data-testid="stage">
      {isSlider ? (
        <div className="surface" style={surface}>
          {picture('later')}
          {picture('earlier', { clipPath: `inset(0 ${100 - clip}% 0 0)` })}
          {pins}
          {only === null && <Slider position={position} onMove={setPosition} />}
          {only !== '2' && <span className="side-label left">{labels.earlier}</span>}
          {only !== '1' && <span className="side-label right">{labels.later}</span>}
        </div>
      ) : (
        (['earlier', 'later'] as const).map((side) => (
          <div key={side} className="compare-pane">
            <div className="surface" style={surface}>
              {picture(only === '1' ? 'earlier' : only === '2' ? 'later' : side)}
              {pins}
            </div>
            <span className="side-label left">{labels[side]}</span>
          </div>
        ))
      )}
      <ZoomBar scale={zoom.view?.scale ?? null} onIn={zoom.zoomIn} onOut={zoom.zoomOut} onFit={zoom.fit}>
        <OnlyOne labels={labels} only={only} onChange={setOnly} />
      </ZoomBar>
    </div>
  );
}

type Side = 'earlier' | 'later';

/** The common canvas of both pictures, once both are loaded. */
function usePairSize(onDifference: (words: string) => void) {
  const [sizes, setSizes] = useState<Partial<Record<Side, Size>>>({});
  const { earlier, later } = sizes;
  const difference = useRef(onDifference);
  difference.current = onDifference;
  // The same object while the sizes are the same, so that the view stays.
  const both = useMemo(() => (earlier && later ? sameWidth(earlier, later) : null), [earlier, later]);
  useEffect(() => {
    if (earlier && later) difference.current(sayDifference(earlier, later));
  }, [earlier, later]);
  const measure = (side: Side, size: Size) => {
    if (sizes[side]?.width !== size.width) setSizes((now) => ({ ...now, [side]: size }));
  };
  return { both, measure };
}

const surfaceStyle = (view: View | null, canvas: Size | null) =>
  view && canvas
    ? {
        width: canvas.width * view.scale,
        height: canvas.height * view.scale,
        transform: `translate(${view.x}px, ${view.y}px)`,
      }
    : { visibility: 'hidden' as const };

type SidePictureProps = { file: ViewFile; label: string; style: CSSProperties; onSize: (size: Size) => void };

function SidePicture({ file, label, style, onSize }: SidePictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const measure = useRef(onSize);
  measure.current = onSize;
  const read = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => measure.current({ width, height });
  const url = pictureUrl(file);
  useEffect(() => {
    // React drops events of elements that it has not shown yet.
    const element = image.current;
    if (element?.complete && element.naturalWidth > 0)
      measure.current({ width: element.naturalWidth, height: element.naturalHeight });
  }, [url]);
  return (
    <img
      ref={image}
      src={url ?? undefined}
      alt={`${file.file_name}, ${label}`}
      draggable={false}
      style={style}
      onLoad={({ currentTarget }) => read(currentTarget)}
    />
  );
}

type OnlyProps = { labels: Sides; only: string | null; onChange: (only: string | null) => void };

/** One of the two alone: while its key is held, or by a click until the next. */
const OnlyOne = ({ labels, only, onChange }: OnlyProps) => (
  <span className="zoom-group wide-only">
    {['1', '2'].map((key) => (
      <Button
        key={key}
        variant="subtle"
        h={30}
        px={8}
        aria-pressed={only === key}
        onClick={() => onChange(only === key ? null : key)}
        rightSection={<kbd aria-hidden>{key}</kbd>}
      >
        {`Only ${(key === '1' ? labels.earlier : labels.later).toLowerCase()}`}
      </Button>
    ))}
  </span>
);

type SliderProps = { position: number; onMove: (position: number) => void };

function Slider({ position, onMove }: SliderProps) {
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const surface = event.currentTarget.closest('.surface');
    if (surface && event.currentTarget.hasPointerCapture(event.pointerId))
      onMove(percentIn(surface.getBoundingClientRect(), event).x);
  };
  return (
    <span className="slider" style={{ left: `${position}%` }}>
      <button
        type="button"
        role="slider"
        aria-label="Divider between the deliveries"
        aria-valuenow={Math.round(position)}
        aria-valuemin={0}
        aria-valuemax={100}
        onPointerDown={(event) => {
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onPointerMove}
      >
        <IconArrowsHorizontal size={18} aria-hidden />
      </button>
    </span>
  );
}
