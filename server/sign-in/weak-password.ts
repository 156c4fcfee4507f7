import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { Detail } from '../http/refusal.ts';

type Owner = { name?: string; email: string };

/** Checking takes longer for long passwords, and 24 characters are enough to pass. */
const bounds = { maxLength: 24, l33tMaxSubstitutions: 10 };
const judge = new ZxcvbnFactory({ ...bounds, dictionary, graphs: adjacencyGraphs });

/** The lowest accepted zxcvbn score: at least a million guesses. */
const lowestScore = 2;

export function isWeakPassword(password: string, { name = '', email }: Owner): boolean {
  const words = [name, email].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const personalWords = words.filter((word) => word.length >= 3).map((word) => word.slice(0, 40));
  return judge.check(password, ['atelier', ...personalWords.slice(0, 20)]).score < lowestScore;
}

export const passwordFault = (location: string, password: string, owner: Owner): Detail | null =>
  isWeakPassword(password, owner)
    ? { location, message: 'is easy to guess; choose another, such as four words that do not belong together' }
    : null;
