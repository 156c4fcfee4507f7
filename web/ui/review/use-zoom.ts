import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useShortcut } from '../shell/shortcuts.tsx';
import type { Box } from './place.ts';
import { fitView, panBy, showPoint, type Size, type View, zoomAt, zoomAtMiddle } from './zoom.ts';

type Point = { x: number; y: number };
const factor = 1.25;

/** Zoom and pan of a picture: wheel, pinch, keys, and dragging with space or the middle button. */
export function useZoom(stage: RefObject<HTMLElement | null>, picture: Size | null, columns = 1) {
  const whole = useSize(stage);
  // Pictures side by side share one view.
  const size = whole && { ...whole, width: whole.width / columns };
  // Null means fitted, which follows the size of the window.
  const [moved, setMoved] = useState<View | null>(null);
  const view = picture && size ? (moved ?? fitView(picture, size)) : null;
  const change = (next: (view: View, picture: Size, size: Size) => View) => {
    if (!view || !picture || !size) return;
    const changed = next(view, picture, size);
    if (changed !== view) setMoved(changed);
  };
  const zoomBy = (by: number) => change((now, ...sizes) => zoomAtMiddle(now, by, ...sizes));
  useEffect(() => setMoved(null), [picture]);
  useWheel(stage, columns, (at, by) =>
    change((now, ...sizes) => (by.zoom ? zoomAt(now, by.zoom, at, ...sizes) : panBy(now, by, ...sizes))),
  );
  const space = useSpace();
  const isFitted = moved === null;
  const touch = useFingers(
    (fingers, before) => {
      // One finger on the whole picture swipes to another file.
      if (isFitted && fingers.length < 2 && !space) return;
      change((now, ...sizes) => {
        const [at, was] = [centerOf(fingers), centerOf(before)];
        const panned = panBy(now, { x: at.x - was.x, y: at.y - was.y }, ...sizes);
        return fingers.length < 2 ? panned : zoomAt(panned, spread(fingers) / spread(before), at, ...sizes);
      });
    },
    space,
    columns,
  );
  useShortcut('+', 'Zoom in', () => zoomBy(factor));
  useShortcut('-', 'Zoom out', () => zoomBy(1 / factor));
  useShortcut('0', 'Fit', () => setMoved(null));
  return {
    view,
    isFitted,
    space,
    fit: () => setMoved(null),
    zoomIn: () => zoomBy(factor),
    zoomOut: () => zoomBy(1 / factor),
    show: (percent: Point) => change((now, ...sizes) => showPoint(now, percent, ...sizes)),
    touch,
  };
}

/** Shows the place of the selected comment once; the reader may pan away from it. */
export function useShown(show: (percent: Point) => void, box: Box | undefined): void {
  const latest = useRef(show);
  latest.current = show;
  const [x, y] = box ? [box.x + box.w / 2, box.y + box.h / 2] : [null, null];
  useEffect(() => {
    if (x !== null && y !== null) latest.current({ x, y });
  }, [x, y]);
}

export function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** By hand, because React's own listener cannot prevent the browser's zoom. */
function useWheel(
  stage: RefObject<HTMLElement | null>,
  columns: number,
  onWheel: (at: Point, by: Point & { zoom?: number }) => void,
) {
  const latest = useRef(onWheel);
  latest.current = onWheel;
  useEffect(() => {
    const element = stage.current;
    const listen = (event: WheelEvent) => {
      if (!element) return;
      event.preventDefault();
      const by = { x: -event.deltaX, y: -event.deltaY };
      const zooms = event.ctrlKey || event.metaKey;
      latest.current(pointIn(element, columns, event), zooms ? { ...by, zoom: Math.exp(-event.deltaY / 300) } : by);
    };
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [stage, columns]);
}

/** Relative to the column below the pointer. */
function pointIn(element: Element, columns: number, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top, width } = element.getBoundingClientRect();
  return { x: (clientX - left) % (width / columns), y: clientY - top };
}

/** Whether space is held outside of buttons and fields. */
function useSpace(): boolean {
  const [pressed, setPressed] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const busy = event.target instanceof HTMLElement && event.target.closest('button, a, input, textarea, select');
      if (event.key !== ' ' || (busy && event.type === 'keydown')) return;
      if (!busy) event.preventDefault();
      setPressed(event.type === 'keydown');
    };
    document.addEventListener('keydown', listen);
    document.addEventListener('keyup', listen);
    return () => {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('keyup', listen);
    };
  }, []);
  return pressed;
}

const centerOf = (fingers: Point[]): Point => ({
  x: fingers.reduce((sum, { x }) => sum + x, 0) / fingers.length,
  y: fingers.reduce((sum, { y }) => sum + y, 0) / fingers.length,
});
const spread = ([first, other]: Point[]): number =>
  first && other ? Math.max(Math.hypot(first.x - other.x, first.y - other.y), 1) : 1;

/** Fingers on the stage, or the mouse while it pans. Positions are relative to the stage. */
function useFingers(onMove: (fingers: Point[], before: Point[]) => void, mousePans: boolean, columns: number) {
  const down = useRef(new Map<number, Point>());
  const pointOf = (event: PointerEvent<HTMLElement>) => pointIn(event.currentTarget, columns, event);
  const lift = (event: PointerEvent<HTMLElement>) => void down.current.delete(event.pointerId);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'mouse' && !mousePans && event.button !== 1) return;
      if (event.button === 1) event.preventDefault();
      down.current.set(event.pointerId, pointOf(event));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (!down.current.has(event.pointerId)) return;
      const before = [...down.current.values()];
      down.current.set(event.pointerId, pointOf(event));
      onMove([...down.current.values()], before);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onPointerLeave: lift,
  };
}

/** Two fingers zoom pages that one finger scrolls. */
export function usePinch(onZoom: (by: number) => void) {
  const down = useRef(new Map<number, Point>());
  const lift = ({ pointerId }: PointerEvent) => void down.current.delete(pointerId);
  return {
    onPointerDown: ({ pointerId, pointerType, clientX, clientY }: PointerEvent) => {
      if (pointerType === 'touch') down.current.set(pointerId, { x: clientX, y: clientY });
    },
    onPointerMove: ({ pointerId, clientX, clientY }: PointerEvent) => {
      if (down.current.size < 2 || !down.current.has(pointerId)) return;
      const before = spread([...down.current.values()]);
      down.current.set(pointerId, { x: clientX, y: clientY });
      onZoom(spread([...down.current.values()]) / before);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  };
}
