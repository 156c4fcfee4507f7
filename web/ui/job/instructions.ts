/** Converts answers of the order form to `Label: answer` and back. */
export type Answers = Record<string, string>;

/** In catalog order, followed by other text. */
export function composeInstructions(requirements: string[], answers: Answers, words: string): string {
  const answered = requirements
    .map((label) => ({ label, answer: answers[label]?.trim() ?? '' }))
    .filter(({ answer }) => answer !== '')
    .map(({ label, answer }) => `${label}: ${answer}`);
  return [...answered, ...(words.trim() ? [words.trim()] : [])].join('\n\n');
}

/** An answer ends at a blank line or the next label. Text without a label is the customer's own words. */
export function readInstructions(requirements: string[], text: string): { answers: Answers; words: string } {
  const labels = new Map(requirements.map((label) => [label.toLowerCase(), label]));
  const answers: Answers = {};
  const words: string[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    let current: string | null = null;
    for (const line of paragraph.split('\n')) {
      const colon = line.indexOf(':');
      const label = colon > 0 ? labels.get(line.slice(0, colon).trim().toLowerCase()) : undefined;
      if (label !== undefined && answers[label] === undefined) {
        current = label;
        answers[label] = line.slice(colon + 1).trim();
      } else if (current !== null) answers[current] = `${answers[current]}\n${line}`;
      else words.push(line);
    }
  }
  return { answers, words: words.join('\n').trim() };
}
