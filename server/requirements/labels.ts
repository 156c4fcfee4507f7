import type { Family } from '../catalog/catalog.ts';
import type { Normalised } from './normalise.ts';
import { isAnswer, isOpen, strip } from './undecided.ts';

/** `from`: where the answer begins. `end`: of its line, or of its sentence if `spoken`. */
type Mention = { label: string; start: number; from: number; end: number; spoken: boolean };

const comparable = (label: string) => label.toLowerCase().replace(/[ _-]/g, ' ');
const recognisers = new WeakMap<Family, { labels: Map<string, string>; pattern: RegExp }>();

function recogniserOf(family: Family) {
  const cached = recognisers.get(family);
  if (cached) return cached;
  const labels = new Map(
    family.intake_requirements.flatMap(({ label, also_called }) =>
      [label, ...also_called].map((name) => [comparable(name), label]),
    ),
  );
  // Longest first: "Sources to use or avoid" before "Sources to use".
  const sources = [...labels.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((label) => label.split(' ').map(RegExp.escape).join('[ _-]'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const made = { labels, pattern };
  recognisers.set(family, made);
  return made;
}

/** The requirement, if the text is only its name: "the audience". */
export const labelNamed = (family: Family, text: string): string | null =>
  recogniserOf(family).labels.get(comparable(strip(text).replace(/^(?:the|our|my|its) /iu, ''))) ?? null;

/** Between label and answer: a colon anywhere; a dash, a bar or nothing only on its own line. */
const link =
  /["'*_`~\]]{0,4}(?: ?\([^()\n]{0,60}\))?["'*_`~\]]{0,4}(?: ?(?<colon>[:：=])| ?[-–—]{1,2}(?= |$)| ?[|?]| ?#{0,6}(?=\n|$))/uy;
const spokenLink = /\s(?:is|are|will be|should be|must be|has to be)(?: (?:called|named|that))?\s/uy;
const clauseStart =
  /(?:(?:^|[.!?;:\n,–—(] ?)(?<lead>(?:(?:and|but|so|no|oh|wait|sorry|actually|also|please)[ ,]{1,2}){0,3}(?:the |our |its )?)| (?<and>(?:and|but) (?:the|our|its) ))$/u;

function opensLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 17), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length < 17 && !/\p{L}/u.test(line);
}

/** "The audience is …" at the start of a sentence or clause. */
function spoken({ text, lower }: Normalised, label: string, start: number, after: number): Mention | null {
  spokenLink.lastIndex = after;
  if (!spokenLink.test(lower)) return null;
  const before = clauseStart.exec((start > 40 ? 'x' : '') + lower.slice(Math.max(0, start - 40), start));
  if (!before) return null;
  const length = text.slice(spokenLink.lastIndex).search(/[.!?;](?:\s|$)|\n(?!\p{Ll})|$/u);
  const end = spokenLink.lastIndex + length;
  if (isOpen(text.slice(start, end + 1))) return null;
  return {
    label,
    start: start - (before.groups?.lead ?? before.groups?.and ?? '').length,
    from: spokenLink.lastIndex,
    end,
    spoken: true,
  };
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
      mentions.push({ label, start: index, from: link.lastIndex, end, spoken: false });
    } else {
      const mention = spoken(normalised, label, index, index + name.length);
      if (mention) mentions.push(mention);
    }
  }
  return mentions;
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

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
  const answer = paragraph.some((line) => isAnswer(strip(line))) ? strip(paragraph.join('\n')) : '';
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
    const answer = strip(rest);
    if (mention.spoken || /[^\s*_`]/.test(rest)) behind[i] = { answer: isAnswer(answer) ? answer : '', end };
    // "Brand name: Style: modern": the answer begins with another label.
    else if (sameLine)
      behind[i] = { answer: behind[i + 1]?.answer ? strip(text.slice(mention.from, mention.end)) : '', end };
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
