import { newId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { signQuery } from './signed-url.ts';

/** Seconds. A URL stays the same for this long and works for longer, so that pages load a picture once. */
export const posterSeconds = 3_600;

export const newPosterKey = (): string => `posters/${newId()}.webp`;

export const posterTerms = (key: string, expires: string) => ({
  method: 'GET' as const,
  key,
  expires,
  signedValues: [],
});

/** By the clock of this process, which may be minutes wrong: that saves reads of a job a statement. */
export const createPosterUrl =
  (signer: Signer, publicUrl: string) =>
  (key: string): string => {
    const expires = String((Math.floor(Date.now() / 1000 / posterSeconds) + 2) * posterSeconds);
    return `${publicUrl}/storage/${key}?${signQuery(signer, posterTerms(key, expires))}`;
  };
