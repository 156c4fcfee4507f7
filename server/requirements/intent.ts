import { bare, isAnswer } from './answer.ts';
import type { Family } from '../catalog/catalog.ts';
import { isOpen } from './open.ts';
import { clauseEnding, findSentence, type Prose, prose } from './prose.ts';

/** A label in the text; its answer begins at `from`, and ends before the next mention or with the line. */
type Mention = { label: string; start: number; from: number; lineEnd: number };

const plain = (label: string) => label.toLowerCase().replace(/[ _-]/g, ' ');
const recognisers = new WeakMap<Family, { labels: Map<string, string>; pattern: RegExp }>();

function recogniserOf(family: Family) {
  const known = recognisers.get(family);
  if (known) return known;
  const labels = new Map(
    family.intake_requirements.flatMap(({ label, also_called }) =>
      [label, ...also_called].map((name) => [plain(name), label]),
    ),
  );
  // Longest first: "Sources to use or avoid" is not "Sources to use".
  const sources = [...labels.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((label) => label.split(' ').map(RegExp.escape).join('[ _-]'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const made = { labels, pattern };
  recognisers.set(family, made);
  return made;
}

/** What may stand between a label and its answer. With a colon anywhere; with a dash, a bar or nothing only in a line of its own. */
const link =
  /["'*_`~\]]{0,4}(?: ?\([^()\n]{0,60}\))?["'*_`~\]]{0,4}(?: ?(?<colon>[:：=])| ?[-–—]{1,2}(?= |$)| ?[|?]| ?#{0,6}(?=\n|$))/uy;

function opensLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 17), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.length < 17 && !/\p{L}/u.test(line);
}

function findMentions(family: Family, { text, lower }: Prose): Mention[] {
  const { labels, pattern } = recogniserOf(family);
  const mentions: Mention[] = [];
  let lineEnd = -1;
  for (const { 0: found, index } of lower.matchAll(pattern)) {
    link.lastIndex = index + found.length;
    const linked = link.exec(text);
    if (!linked || (!linked.groups?.colon && !opensLine(text, index))) continue;
    if (lineEnd < index) lineEnd = endOfLine(text, index);
    mentions.push({ label: labels.get(plain(found))!, start: index, from: link.lastIndex, lineEnd });
  }
  return mentions;
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** What stands behind a mention, and where it ends; the answer is empty where that says nothing. */
type Behind = { answer: string; end: number };

/**
 * The text under a label that stands alone, up to a blank line, a heading or the line of the next mention; when that is
 * the very next line, up to the mention.
 */
function paragraphUnder(text: string, mention: Mention, next: Mention | undefined): Behind {
  const nextLine = next ? text.lastIndexOf('\n', next.start) : text.length;
  const end = next && nextLine <= mention.lineEnd ? next.start : nextLine;
  const lines = [];
  let at = mention.lineEnd + 1;
  while (at < end) {
    const stop = Math.min(endOfLine(text, at), end);
    const line = text.slice(at, stop);
    if (/^#{1,6} /.test(line) || (line === '' && lines.length > 0)) break;
    at = stop + 1;
    if (line !== '') lines.push(line);
  }
  const answer = lines.some((line) => isAnswer(bare(line))) ? bare(lines.join('\n')) : '';
  return { answer, end: Math.min(at, text.length) };
}

/** What stands behind each mention. From the last to the first, so that each part is read once. */
function behindEach(text: string, mentions: Mention[]): Behind[] {
  const found: Behind[] = [];
  for (let i = mentions.length - 1; i >= 0; i -= 1) {
    const mention = mentions[i]!;
    const next = mentions[i + 1];
    const sameLine = next && next.start < mention.lineEnd;
    const end = sameLine ? next.start : mention.lineEnd;
    const behind = text.slice(mention.from, end);
    const answer = bare(behind);
    if (/[^\s*_`]/.test(behind)) found[i] = { answer: isAnswer(answer) ? answer : '', end };
    // "Brand name: Style: modern": the answer begins with the words of another label.
    else if (sameLine)
      found[i] = { answer: found[i + 1]?.answer ? bare(text.slice(mention.from, mention.lineEnd)) : '', end };
    else found[i] = paragraphUnder(text, mention, next);
  }
  return found;
}

/** A part of a text that stands behind a label, from the label to its end. */
export type Labelled = { label: string; answer: string; start: number; end: number };

/** What a text says behind labels, in the order of the text; the answer is empty for "TBD" and the like. */
export function labelled(family: Family, told: Prose): Labelled[] {
  const mentions = findMentions(family, told);
  const behind = behindEach(told.text, mentions);
  return mentions.map(({ label, start }, i) => ({ label, start, ...behind[i]! }));
}

/**
 * The requirements that a text answers, and how: as a label or heading with a real answer
 * behind it, or in a sentence that the catalog's patterns authenticate. In the order of the catalog.
 */
export function answeredRequirements(family: Family, given: string): { requirement: string; answer: string }[] {
  const told = prose(given);
  const answers = new Map<string, string>();
  // What stands there as "to be decided" is not guessed from the rest.
  const open = new Set<string>();
  for (const { label, answer } of labelled(family, told)) {
    if (answer && !answers.has(label)) answers.set(label, answer);
    if (!answer) open.add(label);
  }
  // Where the catalog's own example is a question, customers answer with one.
  const inquiring = family.intake_requirements.some(({ example }) => example.endsWith('?'));
  const counts = (found: string) => !isOpen(inquiring && !/\byour?\b/iu.test(found) ? found.replace(/\?$/, '') : found);
  for (const { label, answered_by, told_by } of family.intake_requirements)
    for (const pattern of [...answered_by, ...told_by]) {
      if (answers.has(label) || open.has(label)) break;
      const sentence = findSentence(told, pattern, counts, clauseEnding);
      if (sentence) answers.set(label, sentence);
    }
  return family.intake_requirements.flatMap(({ label }) => {
    const answer = answers.get(label);
    return answer === undefined ? [] : [{ requirement: label, answer }];
  });
}

export function missingRequirements(family: Family, instructions: string): string[] {
  const answered = new Set(answeredRequirements(family, instructions).map(({ requirement }) => requirement));
  return family.intake_requirements.map(({ label }) => label).filter((label) => !answered.has(label));
}
