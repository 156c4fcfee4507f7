import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { Detail } from '../http/refusal.ts';

/** Whose password it is: their own name and address are what a guesser tries first. */
type Owner = { name?: string; email: string };

/** The time to judge grows with the length, and 24 characters suffice to pass. */
const bounds = { maxLength: 24, l33tMaxSubstitutions: 10 };
const judge = new ZxcvbnFactory({ ...bounds, dictionary, graphs: adjacencyGraphs });

/** The lowest score of zxcvbn that is accepted: at least a million guesses. */
const lowestScore = 2;

export function isWeakPassword(password: string, { name = '', email }: Owner): boolean {
  const words = [name, email].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const known = words.filter((word) => word.length >= 3).map((word) => word.slice(0, 40));
  return judge.check(password, ['atelier', ...known.slice(0, 20)]).score < lowestScore;
}

/** Why a password may not be chosen. */
export const passwordFault = (location: string, password: string, owner: Owner): Detail | null =>
  isWeakPassword(password, owner)
    ? { location, message: 'is easy to guess; choose another, such as four words that do not belong together' }
    : null;
