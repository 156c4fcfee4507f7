import { VisuallyHidden } from '@mantine/core';
import type { ChangeEvent } from 'react';

/** A column of boxes before the others. */
export type Marking<Row> = {
  ids: readonly string[];
  labelOf: (row: Row) => string;
  onMark: (id: string, toHere: boolean) => void;
};

export const MarkHead = () => (
  <th scope="col" className="mark">
    <VisuallyHidden>Selected</VisuallyHidden>
  </th>
);

const cell = { display: 'grid', placeContent: 'center', width: 38, height: 44, cursor: 'pointer' };
const box = { width: 16, height: 16, margin: 0, cursor: 'pointer' };

type Props = { label: string; isMarked: boolean; onMark: (toHere: boolean) => void };

export const MarkCell = ({ label, isMarked, onMark }: Props) => (
  <td className="mark">
    <label className="above" style={cell}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <input type="checkbox" style={box} checked={isMarked} onChange={(event) => onMark(hasShift(event))} />
    </label>
  </td>
);

/** The change of a box is a click. */
const hasShift = ({ nativeEvent }: ChangeEvent) => nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
