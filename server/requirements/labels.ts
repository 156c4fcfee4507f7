import type { Family, Requirement } from '../catalog/catalog.ts';
import { strip, trimmed } from '../lib/marks.ts';
import type { Normalised } from '../lib/sentences.ts';
import { isAnswer } from './is-answer.ts';

/** `from`: where the answer begins. `end`: of its line. */
type Mention = { label: string; start: number; from: number; end: number };

const comparable = (label: string) => label.toLowerCase().replace(/[ _-]/g, ' ');

/** What is made once for each family. */
export function onceFor<T>(make: (family: Family) => T): (family: Family) => T {
  const made = new WeakMap<Family, { value: T }>();
  return (family) => {
    const entry = made.get(family) ?? { value: make(family) };
    made.set(family, entry);
    return entry.value;
  };
}

/** All names of a requirement, longest first: "Sources to use or avoid" before "Sources to use". */
export const namesOf = (...requirements: Requirement[]): string[] =>
  requirements
    .flatMap(({ label, also_called }) => [label, ...also_called].map(comparable))
    .toSorted((a, b) => b.length - a.length);

const recogniserOf = onceFor(({ intake_requirements: requirements }) => {
  const labels = new Map(
    requirements.flatMap((requirement) => namesOf(requirement).map((name) => [name, requirement.label])),
  );
  const sources = namesOf(...requirements).map((name) => name.split(' ').map(RegExp.escape).join('[ _-]'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  return { labels, pattern };
});

/** The requirements that a text names: "the audience is wrong". */
export const labelsNamed = (family: Family, text: string): string[] => {
  const { labels, pattern } = recogniserOf(family);
  return [...new Set([...text.toLowerCase().matchAll(pattern)].map(([name]) => labels.get(comparable(name))!))];
};

/** Between label and answer: a colon anywhere; a dash, a bar or nothing only on its own line. */
const link =
  /["'*_`~\]]{0,4}(?: ?\([^()\n]{0,60}\))?["'*_`~\]]{0,4}(?: ?(?<colon>[:：=])| ?[-–—]{1,2}(?= |$)| ?[|?]| ?#{0,6}(?=\n|$))/uy;
function opensLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 17), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length < 17 && !/\p{L}/u.test(line);
}

function findMentions(family: Family, normalised: Normalised): Mention[] {
  const { text, lower } = normalised;
  const { labels, pattern } = recogniserOf(family);
  const mentions: Mention[] = [];
  let end = -1;
  for (const { 0: name, index } of lower.matchAll(pattern)) {
    const label = labels.get(comparable(name))!;
    link.lastIndex = index + name.length;
    const linked = link.exec(text);
    if (linked && (linked.groups?.colon || opensLine(text, index))) {
      if (end < index) end = endOfLine(text, index);
      mentions.push({ label, start: index, from: link.lastIndex, end });
    }
  }
  return mentions;
}

/** A line goes on where it breaks off: after a comma, or before a lower-case letter that begins no label. */
const wrapped = /(?<=[,;&/])\n(?! ?[-*•#]|[^\n:]{1,40}:)|\n(?=["“]?\p{Ll}[^\n:=]{20})/uy;

function endOfLine(text: string, from: number): number {
  for (let at = from; ; at += 1) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    wrapped.lastIndex = end;
    if (!wrapped.test(text)) return end;
    at = end;
  }
}

/** The text after a mention and its end. Empty if the text says nothing. */
type Behind = { answer: string; end: number };

/** Ends at a blank line, a heading or the line of the next mention. */
function paragraphUnder(text: string, mention: Mention, next: Mention | undefined): Behind {
  const nextLine = next ? text.lastIndexOf('\n', next.start) : text.length;
  const end = next && nextLine <= mention.end ? next.start : nextLine;
  const paragraph = [];
  let at = mention.end + 1;
  while (at < end) {
    const stop = Math.min(endOfLine(text, at), end);
    const line = text.slice(at, stop);
    if (/^#{1,6} /.test(line) || (line === '' && paragraph.length > 0)) break;
    at = stop + 1;
    if (line !== '') paragraph.push(line);
  }
  const answer = paragraph.some((line) => isAnswer(strip(line))) ? trimmed(paragraph.join('\n')) : '';
  return { answer, end: Math.min(at, text.length) };
}

/** Works from the last mention to the first, so that each part is read once. */
function behindEach(text: string, mentions: Mention[]): Behind[] {
  const behind: Behind[] = [];
  for (let i = mentions.length - 1; i >= 0; i -= 1) {
    const mention = mentions[i]!;
    const next = mentions[i + 1];
    const sameLine = next && next.start < mention.end;
    const end = sameLine ? next.start : mention.end;
    const rest = text.slice(mention.from, end);
    const answer = trimmed(rest);
    if (/[^\s*_`]/.test(rest)) behind[i] = { answer: isAnswer(strip(rest)) ? answer : '', end };
    // "Brand name: Style: modern": the answer begins with another label.
    else if (sameLine)
      behind[i] = { answer: behind[i + 1]?.answer ? trimmed(text.slice(mention.from, mention.end)) : '', end };
    else behind[i] = paragraphUnder(text, mention, next);
  }
  return behind;
}

export type Labelled = { label: string; answer: string; start: number; end: number };

/** Labelled answers in text order. "TBD" and similar give an empty answer. */
export function findLabelled(family: Family, normalised: Normalised): Labelled[] {
  const mentions = findMentions(family, normalised);
  const behind = behindEach(normalised.text, mentions);
  return mentions.map(({ label, start }, i) => ({ label, start, ...behind[i]! }));
}
