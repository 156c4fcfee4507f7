import { Textarea as Field, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';

type Props = TextareaProps & { ref?: Ref<HTMLTextAreaElement> };

/** The browser does it natively if it can: measuring each field takes a slow phone a tenth of a second. */
const grows = CSS.supports('field-sizing', 'content');
const rows = (count: number) => `calc(${count}lh + 2 * var(--input-padding-y) + 2px)`;

/** Grows with its text, within these rows. */
export function Textarea({ minRows = 2, maxRows = 14, ...rest }: Props) {
  if (!grows) return <Field autosize minRows={minRows} maxRows={maxRows} {...rest} />;
  const input = { fieldSizing: 'content' as const, minHeight: rows(minRows), maxHeight: rows(maxRows) };
  return <Field styles={{ input }} {...rest} />;
}

/** Not of type email: there browsers refuse what mail programs copy, which the service can read. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput inputMode="email" autoCapitalize="none" autoCorrect="off" spellCheck={false} required {...props} />
);
