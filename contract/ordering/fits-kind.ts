/** Code points of an answer in the field of a form. */
const longest = { name: 60, text: 5_000, choice: 200, url: 2_000, date: 10, files: 5_000 };

type Kind = keyof typeof longest;
type Requirement = { kind: Kind; choices: readonly string[] };

export const isTooLong = (kind: Kind, answer: string): boolean => [...answer.trim()].length > longest[kind];

/** `name` and `text` only bound the field of a form: a sentence with the name in it answers, too. */
export function fitsKind({ kind, choices }: Requirement, answer: string | undefined): boolean {
  if (answer === undefined) return false;
  if (kind === 'choice') return choices.some((choice) => choice.toLowerCase() === answer.toLowerCase());
  if (kind === 'url') return URL.parse(answer)?.protocol === 'https:';
  if (kind === 'date') return isDate(answer);
  return true;
}

/** Why a form refuses an answer; null if it does not. */
export function faultOf(requirement: Requirement, answer: string): string | null {
  const { kind, choices } = requirement;
  if (fitsKind(requirement, answer.trim()))
    return isTooLong(kind, answer) ? `must have at most ${longest[kind]} characters` : null;
  if (kind === 'choice') return `must be one of: ${choices.join(', ')}`;
  return kind === 'url' ? 'must be an https address' : 'must be a date, such as 2026-11-20';
}

const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/u.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text;
