import { useMemo, useState } from 'react';
import { useBack } from '../page/line.ts';
import { partShown } from './file-words.ts';
import { type Fault, faultOf, isTooMuch, kindOf, type PreviewedFile } from './previewed.ts';

type Size = { width: number; height: number };

/**
 * `whole`: all its pixels. `loading`: they come. `heavy`: they might be too much for this device.
 * `broken`: this browser cannot show them. `lost`: they did not come. `drawing`: no browser can show them.
 */
type State = 'whole' | 'loading' | 'heavy' | 'drawing' | Fault;
type Faults = { original?: Fault; poster?: Fault };

/** How a picture is shown: by its own pixels, or by what the service has drawn of it. */
export function usePicture(file: PreviewedFile, url: string | null) {
  const [whole, setWhole] = useState<Size | null>(null);
  const [drawn, setDrawn] = useState<Size | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [isWanted, setWanted] = useState(false);
  const state = stateOf();
  const trueSize = useSame(whole ?? file);
  const poster = faults.poster ? null : (file.poster ?? null);
  const fail = (which: keyof Faults, address: string | null) =>
    void faultOf(address).then((fault) => setFaults((now) => ({ ...now, [which]: fault })));
  const again = () => setFaults({});
  useBack(state === 'lost', again);
  function stateOf(): State {
    if (kindOf(file) !== 'image') return faults.poster === 'lost' ? 'lost' : 'drawing';
    if (faults.original) return faults.original;
    if (whole) return 'whole';
    return isWanted || !isTooMuch(file) ? 'loading' : 'heavy';
  }
  return {
    state,
    original: state === 'whole' || state === 'loading' ? url : null,
    poster: whole ? null : poster,
    /** Upright, in pixels; null for vectors, and until it is known. */
    trueSize,
    drawn,
    words: sayPicture({ state, trueSize, drawn, part: partShown(file) }),
    onWhole: setWhole,
    onDrawn: setDrawn,
    onBroken: () => fail('original', url),
    onLost: () => fail('poster', poster),
    again,
    showAll: () => setWanted(true),
  };
}

export type ShownPicture = ReturnType<typeof usePicture>;

/** The same object for the same numbers, so that the view stays. */
function useSame({ width, height }: Partial<Record<keyof Size, number | null>>): Size | null {
  return useMemo(() => (width && height ? { width, height } : null), [width, height]);
}

const sayPixels = ({ width, height }: Size) => `${width.toLocaleString()} × ${height.toLocaleString()}`;

type Said = { state: State; trueSize: Size | null; drawn: Size | null; part: string };

/** "6,000 × 4,000 · shown as a drawing of 2,048 × 1,365". */
export function sayPicture({ state, trueSize, drawn, part }: Said): string {
  const size = trueSize ? sayPixels(trueSize) : '';
  if (state === 'whole' || state === 'loading' || !drawn) return size;
  const isSmaller = !trueSize || drawn.width < trueSize.width;
  const of = isSmaller ? ` of ${sayPixels(drawn)}` : '';
  const drawing =
    state === 'drawing' ? `${trueSize ? 'shown as ' : ''}a drawing${of}` : `reduced to ${sayPixels(drawn)}`;
  return [size, drawing, part].filter(Boolean).join(' · ');
}

/** Replaces the percentage of the zoom if true pixels are unknown or fewer are shown; otherwise null. */
export function sayZoom({ state, trueSize, drawn }: Omit<Said, 'part'>, scale: number | null): string | null {
  if (!trueSize) return drawn && state === 'drawing' ? 'drawing' : '';
  const isEnlarged = state !== 'whole' && drawn !== null && (scale ?? 0) * trueSize.width > drawn.width * 1.01;
  return isEnlarged ? 'enlarged' : null;
}
