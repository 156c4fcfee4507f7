import { Box, type TextareaProps } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { Textarea } from './fields.tsx';
import type { Inserts } from './insert-list.tsx';
import { useInserts } from './use-inserts.tsx';

type Props = Omit<TextareaProps, 'value' | 'onChange' | 'maxLength'> & {
  value: string;
  onWrite: (text: string) => void;
  maxLength: number;
  inserts: Inserts;
  fieldRef?: RefObject<HTMLTextAreaElement | null>;
};

/** A text field with a label that offers saved texts. */
export function InsertField({ value, onWrite, maxLength, inserts, fieldRef, ...rest }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const ref = fieldRef ?? own;
  const { field, button, list, onKey } = useInserts(ref, { value, onWrite, maxLength }, inserts);
  return (
    <Box pos="relative">
      <Textarea {...rest} ref={ref} value={value} maxLength={maxLength} onKeyDown={onKey} {...field} />
      {list}
      {/* On the line of the label, after the field in the order of focus. */}
      <Box pos="absolute" top={0} right={0}>
        {button}
      </Box>
    </Box>
  );
}
