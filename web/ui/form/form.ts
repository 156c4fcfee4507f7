import { type FormEvent, useState } from 'react';
import { AtelierError } from '../../../client/error.ts';

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
