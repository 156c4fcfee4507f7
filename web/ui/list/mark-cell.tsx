import { VisuallyHidden } from '@mantine/core';
import type { ChangeEvent } from 'react';

const markLabel = { display: 'grid', placeContent: 'center', width: 38, height: 44, cursor: 'pointer' };
// Isolated, since a box that fades in on a new layer would lay out all rows again.
const markBox = { width: 16, height: 16, margin: 0, cursor: 'pointer', isolation: 'isolate' } as const;

type MarkProps = { label: string; isMarked: boolean; onMark: (toHere: boolean) => void };

export const MarkCell = ({ label, isMarked, onMark }: MarkProps) => (
  <td className="mark">
    <label className="above" style={markLabel}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <input type="checkbox" style={markBox} checked={isMarked} onChange={(event) => onMark(hasShift(event))} />
    </label>
  </td>
);

/** The change of a box is a click. */
const hasShift = ({ nativeEvent }: ChangeEvent) => nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
