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

type Props = { label: string; isMarked: boolean; onMark: (toHere: boolean) => void };

export const MarkCell = ({ label, isMarked, onMark }: Props) => (
  <td className="mark">
    <label>
      <VisuallyHidden>{label}</VisuallyHidden>
      <input type="checkbox" checked={isMarked} onChange={(event) => onMark(hasShift(event))} />
    </label>
  </td>
);

/** The change of a box is a click. */
const hasShift = ({ nativeEvent }: ChangeEvent) => nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
