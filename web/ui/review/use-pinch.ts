import { type PointerEvent, useRef } from 'react';
import { type Point, spread } from './use-zoom.ts';

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
