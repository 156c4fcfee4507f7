/** Answers as the instructions of a job have them, `Label: answer`, and back. */
export type Answers = Record<string, string>;

/** In catalog order, followed by other text. A blank line would end an answer. */
export function composeInstructions(requirements: string[], answers: Answers, words: string): string {
  const answered = requirements
    .map((label) => ({ label, answer: answers[label]?.trim().replace(/\n\s*\n/g, '\n') ?? '' }))
    .filter(({ answer }) => answer !== '')
    .map(({ label, answer }) => `${label}: ${answer}`);
  return [...answered, ...(words.trim() ? [words.trim()] : [])].join('\n\n');
}

/**
 * An answer takes the rest of its paragraph: a line without a label continues the answer above it. A text
 * above the first label, or after a blank line, is the customer's own words.
 */
export function readInstructions(requirements: string[], text: string): { answers: Answers; words: string } {
  const labels = new Map(requirements.map((label) => [label.toLowerCase(), label]));
  const answers: Answers = {};
  const words: string[] = [];
  const labelOf = (line: string) => {
    const colon = line.indexOf(':');
    const label = colon > 0 ? labels.get(line.slice(0, colon).trim().toLowerCase()) : undefined;
    return label !== undefined && !answers[label] ? label : undefined;
  };
  for (const paragraph of text.split(/\n{2,}/)) {
    let current: string | null = null;
    for (const line of paragraph.split('\n')) {
      const label = labelOf(line);
      if (label !== undefined) {
        answers[label] = line.slice(line.indexOf(':') + 1).trim();
        current = label;
      } else if (current !== null) answers[current] = `${answers[current]}\n${line}`.trim();
      else words.push(line);
    }
  }
  return { answers, words: words.join('\n').trim() };
}

/** The lines of a brief around its answers. */
export const openLine = (label: string): string => `${label}: open (the customer has not answered)`;
/** A fact of the brand kit, which goes along, answers the question. */
export const inKitLine = (label: string): string => `${label}: see brand kit`;
export const ownWordsLine = 'In the customer’s own words:';

type Brief = { answered_requirements: readonly { requirement: string; answer: string }[] };
type Briefed = { customer_instructions: string; intent_brief: Brief | null };
type ReadBrief = { answers: Answers; words: string; open: string[] };

/**
 * What a job asks for, by question. A brief knows its answers, so nothing that they say is taken for a label.
 * `open`: questions that the customer left to the studio.
 */
export function readBrief(requirements: string[], { customer_instructions: text, intent_brief: brief }: Briefed) {
  const read: ReadBrief = { ...readInstructions(requirements, text), open: [] };
  if (brief === null) return read;
  const answered = brief.answered_requirements;
  const begin = answered.map(({ requirement, answer }) => `${requirement}: ${answer}`).join('\n');
  read.answers = Object.fromEntries(answered.map(({ requirement, answer }) => [requirement, answer]));
  if (!text.startsWith(begin)) return read;
  const [about = '', ...words] = `\n${text.slice(begin.length)}`.split(`\n\n${ownWordsLine}\n`);
  const lines = about.split('\n').filter((line) => !line.startsWith('Files: '));
  const labelsOf = (end: string) =>
    lines.filter((line) => line.endsWith(end)).map((line) => line.slice(0, -end.length));
  read.open = labelsOf(openLine(''));
  for (const label of labelsOf(inKitLine(''))) read.answers[label] = 'See brand kit';
  read.words = words.join(`\n\n${ownWordsLine}\n`).trim();
  return read;
}
