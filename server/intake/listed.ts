import { labelled } from '../requirements/intent.ts';
import { prose } from '../requirements/prose.ts';
import type { Family, Requirement } from '../catalog/catalog.ts';
import { isPraise, smallTalkIn } from './assent.ts';
import { patternAt } from './pattern-answers.ts';
import { missingOf, type Talk } from './talk.ts';

/** The points of a list that is numbered from 1 on, in lines or in one; null for any other text. */
export function pointsOf(message: string): string[] | null {
  const marks = [...message.matchAll(/(?<![^\s,;(])\(?(\d{1,2})[.):](?=\s)/gu)];
  const first = marks[0];
  if (!first || marks.length < 2 || marks.some(([, number], i) => Number(number) !== i + 1)) return null;
  // Before a list stands nothing, or what leads to it: "Here you are:".
  if (!/^(?:\s|[^\d.!?]{0,60}[:\n]\s{0,9}$)/u.test(message.slice(0, first.index)) && first.index > 0) return null;
  return marks.map(({ 0: mark, index }, i) =>
    message
      .slice(index + mark.length, marks[i + 1]?.index)
      .trim()
      .replace(/[,;]$/u, ''),
  );
}

/** The lines of a message that could each be one answer. */
function linesOf(message: string): { lines: string[]; bulleted: boolean } {
  const all = message
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  // No family asks for so many things.
  if (all.length > 40) return { lines: [], bulleted: false };
  // "Great!" begins a message with courtesy, and behind other answers it is one.
  const lines = all.filter((line, i) => smallTalkIn(line, false) === null || (i > 0 && isPraise(line)));
  const bulleted = lines.length > 0 && lines.every((line) => /^[-*•] /u.test(line));
  return { lines: bulleted ? lines.map((line) => line.slice(2).trim()) : lines, bulleted };
}

/** The requirement that the catalog finds a point to be about, if that is another one than the one in its place. */
function strayOf(family: Family, point: string, { label }: Requirement): Requirement | null {
  const about = family.intake_requirements.filter((one) => patternAt(one, point) !== null);
  return about.some((one) => one.label === label) ? null : (about[0] ?? null);
}

/** Whether the catalog's own example lists things. */
const isList = (requirement: Requirement | undefined): boolean =>
  (requirement?.example.split(/[,;]/u).length ?? 0) >= 3;

/**
 * A reply in as many points, or lines, as there are requirements to answer, answers them in their order: all that are
 * missing, or all of the family. What is plainly about another one goes there, and the others close up. Null where the count or what the points are about speaks against it.
 */
export function inOrder(family: Family, talk: Talk, message: string): { label: string; text: string }[] | null {
  if (talk.asked === null || 'option' in talk.asked || labelled(family, prose(message)).length > 0) return null;
  const missing = missingOf(family, talk).filter(({ label }) => !talk.open.includes(label));
  const points = pointsOf(message);
  const { lines, bulleted } = linesOf(message);
  const given = points ?? lines;
  // Lines without numbers may as well be one answer, so they count only where everything is still to be said.
  const nothingYet = missing.length === family.intake_requirements.length;
  const places = [missing, ...(points ? [family.intake_requirements] : [])].find(
    ({ length }) => length === given.length && length >= 3,
  );
  // Three features may be meant where three answers are missing.
  if (points && missing.length < 4 && !nothingYet && isList(missing[0])) return null;
  if (!places || (bulleted && !nothingYet) || given.some((text) => text === '' || text.length > 400)) return null;
  const stray = given.map((text, i) => strayOf(family, text, places[i]!));
  if (stray.filter(Boolean).length * 3 > (points ? given.length : 1)) return null;
  const left = places.filter((place) => !stray.includes(place));
  // Two points about the same leave a place empty, and then the order says nothing.
  const sorted = given.flatMap((text, i) => {
    const place = stray[i] ?? left.shift();
    return place && places.includes(place) ? [{ label: place.label, text }] : [];
  });
  return new Set(sorted.map(({ label }) => label)).size === given.length ? sorted : null;
}
