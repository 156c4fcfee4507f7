/** The answers of the order form as the text of a job, `Label: answer`, and back again. */
export type Answers = Record<string, string>;

/** Requirements in the catalog's order, then what was said besides. */
export function composeInstructions(requirements: string[], answers: Answers, words: string): string {
  const answered = requirements
    .map((label) => ({ label, answer: answers[label]?.trim() ?? '' }))
    .filter(({ answer }) => answer !== '')
    .map(({ label, answer }) => `${label}: ${answer}`);
  return [...answered, ...(words.trim() ? [words.trim()] : [])].join('\n\n');
}

/** An answer goes on until a blank line or the next label; what belongs to no label is the customer's own words. */
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
