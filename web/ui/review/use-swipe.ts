import { type PointerEvent, useRef } from 'react';

/** Pixels and milliseconds of a swipe. */
const far = 60;
const quick = 600;

/** A finger that moves sideways over a stage that does not pan. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number; at: number; id: number } | null>(null);
  return {
    onPointerDown: ({ pointerType, pointerId, clientX, clientY, target, timeStamp }: PointerEvent) => {
      const swipes = pointerType === 'touch' && target instanceof Element && target.closest('.swipes') !== null;
      // A second finger is a pinch.
      start.current =
        swipes && start.current === null ? { x: clientX, y: clientY, at: timeStamp, id: pointerId } : null;
    },
    onPointerUp: ({ pointerId, clientX, clientY, timeStamp }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (!from || from.id !== pointerId || timeStamp - from.at > quick) return;
      const [x, y] = [clientX - from.x, clientY - from.y];
      if (Math.abs(x) > far && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1);
    },
    onPointerCancel: () => void (start.current = null),
  };
}
