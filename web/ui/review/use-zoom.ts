import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Box } from './place.ts';
import { fitView, panBy, type Point, showPoint, type Size, type View, zoomAt, zoomAtMiddle } from './zoom.ts';

/** Zoom and pan of a picture: wheel, pinch, and dragging with space or the middle button. */
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
  useEffect(() => setMoved(null), [picture]);
  useWheel(stage, columns, (at, by) =>
    change((now, ...sizes) => (by.zoom ? zoomAt(now, by.zoom, at, ...sizes) : panBy(now, by, ...sizes))),
  );
  const space = useHeldKey(' ', 'button, a, input, textarea, select')[0] !== null;
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
  return {
    view,
    isFitted,
    space,
    show: (percent: Point) => change((now, ...sizes) => showPoint(now, percent, ...sizes)),
    touch,
    /** Shows one pixel of the picture in one of the screen. */
    toPixels: () => change((now, ...sizes) => zoomAtMiddle(now, 1 / now.scale, ...sizes)),
    /** What the zoom bar does. */
    bar: {
      scale: view?.scale ?? null,
      onZoom: (by: number) => change((now, ...sizes) => zoomAtMiddle(now, by, ...sizes)),
      onFit: () => setMoved(null),
    },
  };
}

/** Shows the place of the selected comment once; the reader may pan away from it. */
export function useShown(show: (percent: Point) => void, box: Box | undefined): void {
  const showLatest = useEffectEvent(show);
  const [x, y] = box ? [box.x + box.w / 2, box.y + box.h / 2] : [null, null];
  useEffect(() => {
    if (x !== null && y !== null) showLatest({ x, y });
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
  const move = useEffectEvent(onWheel);
  useEffect(() => {
    const element = stage.current;
    const listen = (event: WheelEvent) => {
      if (!element) return;
      event.preventDefault();
      const by = { x: -event.deltaX, y: -event.deltaY };
      const zooms = event.ctrlKey || event.metaKey;
      move(pointIn(element, columns, event), zooms ? { ...by, zoom: Math.exp(-event.deltaY / 300) } : by);
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

/** The key of these that is held down outside of busy elements, or that a button has switched on. */
export function useHeldKey(keys: string, busy: string) {
  const [pressed, setPressed] = useState<string | null>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, type, target, ctrlKey, metaKey } = event;
      if (key.length !== 1 || !keys.includes(key)) return;
      const isBusy = target instanceof HTMLElement && target.closest(busy) !== null;
      if (!isBusy && key === ' ') event.preventDefault();
      if (type === 'keyup') setPressed((now) => (now === key ? null : now));
      else if (!isBusy && !ctrlKey && !metaKey) setPressed(key);
    };
    document.addEventListener('keydown', listen);
    document.addEventListener('keyup', listen);
    return () => {
      document.removeEventListener('keydown', listen);
      document.removeEventListener('keyup', listen);
    };
  }, [keys, busy]);
  return [pressed, setPressed] as const;
}

const centerOf = (fingers: Point[]): Point => ({
  x: fingers.reduce((sum, { x }) => sum + x, 0) / fingers.length,
  y: fingers.reduce((sum, { y }) => sum + y, 0) / fingers.length,
});
const spread = ([first, other]: Point[]): number =>
  first && other ? Math.max(Math.hypot(first.x - other.x, first.y - other.y), 1) : 1;

/** Fingers on the stage, or the mouse while it pans. Positions are relative to the stage. */
function useFingers(onMove: (fingers: Point[], before: Point[]) => unknown, mousePans: boolean, columns: number) {
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
  const { onPointerDown, ...fingers } = useFingers(
    (now, before) => now.length > 1 && onZoom(spread(now) / spread(before)),
    false,
    1,
  );
  return {
    ...fingers,
    onPointerDown: (event: PointerEvent<HTMLElement>) => event.pointerType === 'touch' && onPointerDown(event),
  };
}
