import {
  PasswordInput,
  type PasswordInputProps,
  Select,
  Textarea as Field,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type FormEvent, type Ref, useState } from 'react';
import { AtelierError } from '../../../client/error.ts';

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

/** The message for a field such as `/customer_title`. */
export function fieldError(error: Error | null, location: string): string | null {
  if (!(error instanceof AtelierError)) return null;
  const detail = error.details.find((detail) => detail.location === location || detail.location === `/${location}`);
  return detail ? `This ${detail.message}.` : null;
}

/** The form does not repeat an error that a field shows. */
export const namesField = (error: Error | null, locations: string[]): boolean =>
  locations.some((location) => fieldError(error, location) !== null);

/** Events of React also reach the form around a dialog, which must not be submitted. */
export const submitting = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault();
  event.stopPropagation();
  submit();
};

/** One Idempotency-Key per state of a job, so that pressing twice moves it once. */
export function useMoveKey(state: string): string {
  const [current, setKept] = useState(() => ({ state, key: crypto.randomUUID() }));
  if (current.state === state) return current.key;
  const next = { state, key: crypto.randomUUID() };
  setKept(next);
  return next.key;
}

export const NewPassword = (props: PasswordInputProps) => (
  <PasswordInput autoComplete="new-password" required minLength={10} maxLength={128} {...props} />
);

const lives = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

/** A number of days; empty for never. */
export const KeyExpiry = ({ days, onChange }: { days: string; onChange: (days: string) => void }) => (
  <Select label="Expires" data={lives} value={days} onChange={(value) => onChange(value ?? '')} />
);

export const expiryIn = (days: string) =>
  days ? { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() } : {};
