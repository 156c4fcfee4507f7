import { createRequire } from 'node:module';
import type { Detail } from '../http/refusal.ts';

type Owner = { name?: string; email: string };

/** Checking takes longer for long passwords, and 24 characters are enough to pass. */
const bounds = { maxLength: 24, l33tMaxSubstitutions: 10 };

/** Read at the first password: 400 kB of words. Not by `import()`, since the settings are read in one go. */
const readWords = () => {
  const require = createRequire(import.meta.url);
  const { ZxcvbnFactory } = require('@zxcvbn-ts/core') as typeof import('@zxcvbn-ts/core');
  const words = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ ...bounds, dictionary: words.dictionary, graphs: words.adjacencyGraphs });
};
let judge: ReturnType<typeof readWords> | undefined;

/** The lowest accepted zxcvbn score: at least a million guesses. */
const lowestScore = 2;

export function isWeakPassword(password: string, { name = '', email }: Owner): boolean {
  const parts = [name, email].flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const longParts = parts.filter((part) => part.length >= 3).map((part) => part.slice(0, 40));
  const personal = ['atelier', ...longParts.slice(0, 20)];
  // zxcvbn finds a repeated piece only where its letters have the same case and no sign is between.
  const plain = password.toLowerCase().replace(/[ ._-]/g, '');
  const words = (judge ??= readWords());
  return [password, plain].some((text) => words.check(text, personal).score < lowestScore);
}

export const passwordFault = (location: string, password: string, owner: Owner): Detail | null =>
  isWeakPassword(password, owner)
    ? { location, message: 'is easy to guess; choose another, such as four words that do not belong together' }
    : null;
