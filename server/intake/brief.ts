import type { Static } from 'typebox';
import type { IntentBrief } from '../../contract/job.ts';
import type { Family } from '../catalog/catalog.ts';
import { missingOf, oneLine, type Talk } from './talk.ts';

export type Brief = Static<typeof IntentBrief>;

/** Code points of `customer_instructions`, and of them what is kept free for each answer that is still to come. */
const longest = 20_000;
const keptPerAnswer = 500;

const answered = (family: Family, talk: Talk) =>
  family.intake_requirements.flatMap(({ label }) => {
    const answer = talk.answers[label];
    return answer === undefined ? [] : [{ requirement: label, answer }];
  });

/** Letters and digits alone, to compare lines by. */
const plain = (line: string): string =>
  line
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{S}]+/gu, ' ')
    .trim();

/**
 * What the customer wrote, word for word, but for messages of which every line stands above as an answer already. What
 * answered a requirement once, and was corrected later, says so.
 */
function ownWords(lines: string[], talk: Talk): string[] {
  const told = new Set(lines.flatMap((line) => [plain(line), plain(line.slice(line.indexOf(': ') + 2))]));
  return talk.words
    .filter(
      ({ text }) =>
        !text
          .split('\n')
          .map((line) => line.replace(/^\s*(?:\d{1,2}[.)]|[-*•]) /u, ''))
          .every((line) => (plain(line) === '' ? line.trim() === '' : told.has(plain(line)))),
    )
    .map(({ text, about }) => {
      const earlier = about !== null && plain(talk.answers[about] ?? '') !== plain(text);
      return `- ${earlier ? `${about} at first: ` : ''}${text.trim().replaceAll('\n', '\n  ')}`;
    });
}

/** `label: answer` for each requirement, then all that the customer wrote besides. Never loses a word. */
export function instructionsOf(family: Family, talk: Talk): string {
  const lines = answered(family, talk).map(({ requirement, answer }) => `${requirement}: ${answer}`);
  if (talk.deadline) lines.push(`Deadline: ${talk.deadline}`);
  const open = missingOf(family, talk).map(({ label }) => `${label}: not known yet (left open by the customer)`);
  const words = ownWords(lines, talk);
  return [...lines, ...open, ...(words.length > 0 ? ['', 'In the customer’s own words:', ...words] : [])].join('\n');
}

/** Whether what was said leaves room in the instructions for what is still to be answered. */
export const fits = (family: Family, talk: Talk): boolean =>
  [...instructionsOf(family, talk)].length + keptPerAnswer * missingOf(family, talk).length <= longest;

/** The option and what the first requirement was answered with, on one line of at most 120 characters. */
function titleOf(family: Family, talk: Talk): string {
  const option = family.options.find(({ id }) => id === talk.service_type)?.name ?? family.name;
  const subject = oneLine(answered(family, talk)[0]?.answer ?? '').replace(/\p{Cc}/gu, ' ');
  const points = [...(subject ? `${option}: ${subject}` : option)];
  return points.length > 120 ? `${points.slice(0, 119).join('').trimEnd()}…` : points.join('');
}

/** What the conversation proposes, once the option is known and nothing is left to ask. */
export function briefOf(family: Family, talk: Talk): Brief | null {
  if (talk.asked !== null || talk.service_type === null) return null;
  return {
    version: talk.version,
    service_family: family.id,
    service_type: talk.service_type,
    customer_title: titleOf(family, talk),
    customer_instructions: instructionsOf(family, talk),
    answered_requirements: answered(family, talk),
    quality_signals: family.quality_signals,
    file_ids: talk.files.map(({ id }) => id),
  };
}
