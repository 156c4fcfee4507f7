/** Answers as the instructions of a job have them, `Label: answer`, and back. */
export type Answers = Record<string, string>;

/** In catalog order, followed by other text. */
export function composeInstructions(requirements: string[], answers: Answers, words: string): string {
  const answered = requirements
    .map((label) => ({ label, answer: answers[label]?.trim() ?? '' }))
    .filter(({ answer }) => answer !== '')
    .map(({ label, answer }) => `${label}: ${answer}`);
  return [...answered, ...(words.trim() ? [words.trim()] : [])].join('\n\n');
}

/**
 * An answer takes the rest of its paragraph, as the order form writes it. In a paragraph with several labels
 * each answer ends with its line. Text without a label is the customer's own words.
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
    const lines = paragraph.split('\n');
    const byLine = new Set(lines.map(labelOf).filter((label) => label !== undefined)).size > 1;
    let current: string | null = null;
    for (const line of lines) {
      const label = labelOf(line);
      if (label !== undefined) {
        answers[label] = line.slice(line.indexOf(':') + 1).trim();
        current = byLine ? null : label;
      } else if (current !== null) answers[current] = `${answers[current]}\n${line}`;
      else words.push(line);
    }
  }
  return { answers, words: words.join('\n').trim() };
}
