export const isName = (label: string): boolean => /\bname$/iu.test(label);

const word = "(?!I\\b)\\p{Lu}[\\p{L}\\p{N}&'’-]{0,40}";
/** Text in quotes, or capitalized words: "Rise Bakery", "House of Bread & Sons". */
const name = `["“„«]([^"“”«»]{1,80})["“”»]|(${word}(?: (?:(?:of|the|and|&) ){0,2}${word}){0,5})`;
const behind = [
  new RegExp(
    `(?<!\\b(?:formerly|previously|once|so|was|were)[ -])\\b(?:called|named|trading as|goes by) (?:${name})`,
    'u',
  ),
  new RegExp(`\\bname (?:is|will be) (?:${name})`, 'u'),
];

/** Finds "Rise Bakery" in "We open a bakery called Rise Bakery on Mill Road". */
export function nameIn(sentence: string): string | null {
  for (const pattern of behind) {
    const match = pattern.exec(sentence);
    if (match) return match[1] ?? match[2] ?? null;
  }
  return null;
}

const naming =
  /^(?:it|we|(?:our|my|the) [\p{L}-]{2,30})(?:['’](?:s|re)| is| are| will be) (?:called|named) (?<called>[^\n]{1,80})$/iu;

/** The text after "It is called" at the start of a message. */
export const calledIn = (text: string): string | null => naming.exec(text.trim())?.groups?.['called'] ?? null;
