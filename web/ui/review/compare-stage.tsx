import { Box, type BoxProps, Button, UnstyledButton } from '@mantine/core';
import { IconArrowsHorizontal } from '../look/icons.ts';
import { type PointerEvent, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import { sayZoom, type ShownPicture, usePicture } from '../preview/use-picture.ts';
import { type Pair, sameWidth, sayDifference, sliderAfter } from './compare.ts';
import { Again } from './other-stage.tsx';
import { Pins } from './pins.tsx';
import { PictureLayers, Surface } from './surface.tsx';
import { useHeldKey, useShown, useZoom } from './use-zoom.ts';
import type { StageProps, ViewFile } from './view-file.ts';
import { percentIn } from './zoom.ts';
import { ZoomBar, ZoomGroup } from './zoom-bar.tsx';

type Sides = { earlier: string; later: string };
/** Pins of the earlier round are on both pictures. */
type Props = Pick<StageProps, 'comments' | 'selected' | 'onSelect'> & {
  pair: Pair<ViewFile>;
  /** "Delivery 1", "Delivery 2". */
  labels: Sides;
  isSlider: boolean;
  onDifference: (words: string) => void;
};

/** Two pictures under a slider or side by side, with one zoom for both. */
export function CompareStage({ pair, labels, comments, selected, onSelect, isSlider, onDifference }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const pictures = usePair(pair, onDifference);
  const both = useSameWidth(pictures);
  const zoom = useZoom(stage, both?.canvas ?? null, isSlider ? 1 : 2);
  const [position, setPosition] = useState(50);
  const slide = (key: string) => () => setPosition(sliderAfter(position, key) ?? position);
  useShortcut('ArrowLeft', 'Slider to the left', isSlider ? slide('ArrowLeft') : null);
  useShortcut('ArrowRight', 'Slider to the right', isSlider ? slide('ArrowRight') : null);
  const [only, setOnly] = useHeldKey('12', 'input, textarea, select');
  useShown(zoom.show, comments.find(({ id }) => id === selected)?.place?.box);
  const clip = only === '1' ? 100 : only === '2' ? 0 : position;
  const surface = (children: ReactNode) => (
    <Surface view={zoom.view} picture={both?.canvas ?? null}>
      {children}
    </Surface>
  );
  const pins = <Pins {...{ comments, selected, onSelect }} writing={null} onPlace={null} />;
  const picture = (side: Side, style = {}) => (
    <PictureLayers
      picture={pictures[side]}
      alt={`${pair[side].file_name}, ${labels[side]}`}
      style={{ position: 'absolute', left: 0, top: 0, ...style }}
    />
  );
  const label = (side: Side, at: BoxProps) => (
    <SideLabel {...at}>{labels[side] + sayReduced(pictures[side].state)}</SideLabel>
  );
  return (
    <Box
      ref={stage}
      display="flex"
      className={`stage${zoom.space ? ' panning' : ''}`}
      {...zoom.touch}
      data-testid="stage"
    >
      {isSlider && only !== '2' && label('earlier', { left: 12 })}
      {isSlider && only !== '1' && label('later', { right: 12 })}
      {isSlider
        ? surface(
            <>
              {picture('later')}
              {picture('earlier', { clipPath: `inset(0 ${100 - clip}% 0 0)` })}
              {pins}
              {only === null && <Slider position={position} onMove={setPosition} />}
            </>,
          )
        : sides.map((side) => (
            <div key={side} className="pane">
              {surface(
                <>
                  {picture(only === '1' ? 'earlier' : only === '2' ? 'later' : side)}
                  {pins}
                </>,
              )}
              {label(side, { left: 12 })}
            </div>
          ))}
      <ZoomBar {...zoom.bar} words={sayZoom(pictures.later, zoom.bar.scale)}>
        {sides.map((side) => pictures[side].state === 'lost' && <Again key={side} onClick={pictures[side].again} />)}
        <OnlyOne labels={labels} only={only} onChange={setOnly} />
      </ZoomBar>
    </Box>
  );
}

export const sides = ['earlier', 'later'] as const;
type Side = (typeof sides)[number];

/** Says which delivery this is. */
export const SideLabel = (props: BoxProps & { children: string }) => (
  <Box component="span" className="side-label" {...props} />
);

/** Beside the name of a delivery, if not all of its picture is shown. */
const sayReduced = (state: ShownPicture['state']): string => (state === 'whole' ? '' : `, ${notWhole[state]}`);
const notWhole = { loading: 'loading', heavy: 'reduced', broken: 'reduced', lost: 'not loaded', drawing: 'a drawing' };

type Pictures = Record<Side, ShownPicture>;

/** Both pictures. What differs is told of true sizes only. */
function usePair({ earlier, later }: Pair<ViewFile>, onDifference: (words: string) => void): Pictures {
  const pictures = { earlier: usePicture(earlier, earlier.url), later: usePicture(later, later.url) };
  const [before, after] = [pictures.earlier.trueSize, pictures.later.trueSize];
  const tell = useEffectEvent(onDifference);
  useEffect(() => {
    if (before && after) tell(sayDifference(before, after));
  }, [before, after]);
  return pictures;
}

/** The common canvas, once both sizes are known. The same object for the same sizes: the view stays. */
function useSameWidth({ earlier, later }: Pictures) {
  const [before, after] = [earlier.trueSize ?? earlier.drawn, later.trueSize ?? later.drawn];
  return useMemo(() => (before && after ? sameWidth(before, after) : null), [before, after]);
}

type OnlyProps = { labels: Sides; only: string | null; onChange: (only: string | null) => void };

/** One of the two alone: while its key is held, or by a click until the next. */
const OnlyOne = ({ labels, only, onChange }: OnlyProps) => (
  <ZoomGroup className="wide-only">
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
  </ZoomGroup>
);

/** The same in both schemes, because it lies on pictures. */
const knobColors = { bd: '1px solid #d3cdc3', bg: '#ffffff', c: '#1c1a17' };
const knob = { pos: 'absolute', top: '50%', left: '50%', w: 38, h: 38, bdrs: '50%', ...knobColors } as const;

function Slider({ position, onMove }: { position: number; onMove: (position: number) => void }) {
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const surface = event.currentTarget.closest('.surface');
    if (surface && event.currentTarget.hasPointerCapture(event.pointerId))
      onMove(percentIn(surface.getBoundingClientRect(), event).x);
  };
  return (
    <span className="slider" style={{ left: `${position}%` }}>
      <UnstyledButton
        role="slider"
        {...knob}
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
      </UnstyledButton>
    </span>
  );
}
