import { diffArrays, diffWordsWithSpace } from 'diff';
import { mostOfLine, withSigns } from '../preview/text-words.ts';

/** Words of a line, which are in both texts or only in one. */
export type Words = { words: string; isOnly: boolean };
export type Side = { line: number; words: Words[] };
/** Lines beside each other. They differ if one is missing, or has words that the other does not have. */
export type PairOfLines = { earlier: Side | null; later: Side | null; isSame: boolean };

/** Longer texts are not compared, in lines and characters of both. */
const mostLines = 10_000;
const mostCharacters = 1_000_000;
/** Milliseconds for all of it. */
const patience = 1_500;

/** Null if the texts are too large or too different to be compared while a person waits. */
export function differenceOf(earlier: string[], later: string[], most = patience): PairOfLines[] | null {
  const all = [...earlier, ...later];
  if (all.length > mostLines || all.reduce((sum, { length }) => sum + length, 0) > mostCharacters) return null;
  const end = Date.now() + most;
  const runs = diffArrays(earlier, later, { timeout: most });
  if (!runs) return null;
  const pairs: PairOfLines[] = [];
  const next = { earlier: 1, later: 1 };
  const push = ([earlier, later]: (Words[] | null)[], isSame = false) =>
    pairs.push({
      earlier: earlier ? { line: next.earlier++, words: earlier } : null,
      later: later ? { line: next.later++, words: later } : null,
      isSame,
    });
  for (const [index, { value, added, removed }] of runs.entries()) {
    const before = runs[index - 1];
    // Removed lines are shown beside the added ones that follow.
    if (removed && runs[index + 1]?.added) continue;
    const lines = added ? beside(before?.removed ? before.value : [], value) : beside(value, []);
    if (added || removed)
      for (const [earlier, later] of lines) push(wordsOf(earlier, later, Math.max(end - Date.now(), 1)));
    else for (const line of value) push([same(line), same(line)], true);
  }
  return pairs;
}

type Lines = [earlier: string | undefined, later: string | undefined][];

/** How many lines ahead a similar line is searched. */
const reach = 40;

/** Lines that have half of their words in common are beside each other, those between them in their order. */
function beside(removed: string[], added: string[]): Lines {
  const lines: Lines = [];
  const waiting: string[] = [];
  let next = 0;
  const pushTo = (end: number) => {
    const [before, after] = [waiting.splice(0), added.slice(next, end)];
    for (let index = 0; index < Math.max(before.length, after.length); index++)
      lines.push([before[index], after[index]]);
    next = end;
  };
  for (const line of removed) {
    const words = new Set(line.split(/\s+/));
    const partner = added.slice(next, next + reach).findIndex((other) => isAlike(words, other));
    if (partner < 0) waiting.push(line);
    else {
      pushTo(next + partner);
      lines.push([line, added[next++]]);
    }
  }
  pushTo(added.length);
  return lines;
}

function isAlike(words: Set<string>, line: string): boolean {
  const others = line.split(/\s+/);
  return others.filter((word) => words.has(word)).length * 2 >= Math.max(words.size, others.length);
}

const same = (words: string): Words[] => [{ words, isOnly: false }];
const only = (words: string): Words[] => [{ words, isOnly: true }];

/** A line with nothing in common with the other is marked whole. */
function wordsOf(
  before: string | undefined,
  after: string | undefined,
  timeout: number,
): [Words[] | null, Words[] | null] {
  if (before === undefined || after === undefined)
    return [before === undefined ? null : only(before), after === undefined ? null : only(after)];
  const parts = diffWordsWithSpace(before, after, { timeout });
  if (!parts?.some(({ added, removed, value }) => !added && !removed && value.trim() !== ''))
    return [only(before), only(after)];
  const side = (mark: 'removed' | 'added') =>
    parts
      .filter((part) => part[mark] || (!part.added && !part.removed))
      .map(({ value, ...part }) => ({ words: value, isOnly: part[mark] }));
  return [side('removed'), side('added')];
}

/** A line as a page shows it. The sign of the cut is marked if the texts differ behind it. */
export function shownWords(words: Words[]): Words[] {
  let length = 0;
  const behind: Words[] = [];
  const shown = words.map(({ words: text, isOnly }) => {
    const start = text.slice(0, Math.max(mostOfLine - length, 0));
    length += text.length;
    if (start !== text) behind.push({ words: text, isOnly });
    return { words: withSigns(start), isOnly };
  });
  return behind.length > 0 ? [...shown, { words: '…', isOnly: behind.some(({ isOnly }) => isOnly) }] : shown;
}

/** "3 lines differ". Of texts that are not whole, what was not read may differ. */
export function sayDifferent(pairs: PairOfLines[], isWhole: boolean): string {
  const count = pairs.filter(({ isSame }) => !isSame).length;
  if (count === 0) return isWhole ? 'no line differs' : 'only the first part was compared, and it is the same';
  const words = count === 1 ? '1 line differs' : `${count.toLocaleString()} lines differ`;
  return isWhole ? words : `${words}, only the first part was compared`;
}
