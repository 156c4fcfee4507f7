/** Patterns of the catalog run over hostile text of 20,000 characters on the hot path, so each has a bounded cost per place. */
const LONGEST = 300;
const MOST_REPEATS = 100;
const MOST_GROUP_REPEATS = 4;
const MOST_WAYS = 10_000;

const token =
  /\\(?:[pP]\{[^}]{0,300}\}|u\{[^}]{0,300}\}|.)|\[(?:\\.|[^\]\\]){0,300}\]|\((?:\?(?:[:=!]|<[=!]|<\w{1,300}>))?|\{(\d{1,300})(?:(,)(\d{0,300}))?\}\??|[*+?]\??|[^]/gu;

/** What is wrong with a pattern, in words for the operator; null when it can be used. */
export function patternProblem(source: string): string | null {
  if (source.length > LONGEST) return `pattern is longer than ${LONGEST} characters`;
  try {
    compilePatterns([source]);
  } catch (error) {
    return `pattern is not a regular expression: ${(error as Error).message.replace(/^.*\/gu: /s, '')}`;
  }
  return repetitionProblem(source);
}

/** In how many ways one place can be tried: those of the parts multiplied, of the alternatives the most. */
type Part = { ways: number; most: number };

/** Finds repetition without a limit, and nested or stacked repetition: the two roads to a pattern that takes for ever. */
function repetitionProblem(source: string): string | null {
  const open: Part[] = [{ ways: 1, most: 1 }];
  let group = 0;
  for (const [text, least, comma, most] of source.matchAll(token)) {
    const part = open.at(-1)!;
    if (/^\\(?:[1-9]|k)/.test(text)) return 'pattern refers back to one of its groups';
    if (/^[*+]/.test(text) || (comma && !most)) return 'pattern repeats without a limit; write {0,40} or the like';
    if (least !== undefined || text.startsWith('?')) {
      const [from, to] = least === undefined ? [0, 1] : [Number(least), Number(most || least)];
      if (to > MOST_REPEATS) return `pattern repeats more than ${MOST_REPEATS} times`;
      if (group > 0 && to > MOST_GROUP_REPEATS) return `pattern repeats a group more than ${MOST_GROUP_REPEATS} times`;
      part.ways *= (to - from + 1) * Math.max(group, 1) ** Math.max(to - 1, 0);
      group = 0;
      continue;
    }
    group = 0;
    if (text.startsWith('(')) open.push({ ways: 1, most: 1 });
    else if (text === '|') {
      part.most = Math.max(part.most, part.ways);
      part.ways = 1;
    } else if (text === ')') {
      open.pop();
      group = Math.max(part.most, part.ways);
      open.at(-1)!.ways *= group;
    }
  }
  const { ways, most } = open[0]!;
  return Math.max(ways, most) > MOST_WAYS ? 'pattern nests or stacks too many repetitions' : null;
}

/** A space matches any white space, "'" also "’", and letters are small, as `prose.ts` makes the text. */
const prepared = (source: string): string =>
  source.replace(token, (text) => {
    if (text === ' ') return '\\s';
    if (text === "'") return "['’]";
    // In an expression that takes capitals for small letters, this one must be a capital.
    if (text.includes(capital)) return `(?-i:${text})`;
    if (/^[\\(]/.test(text)) return text;
    return text.replace(/\\(?:[pP]\{[^}]*\}|.)|\p{Lu}| /gu, (part) => (part === ' ' ? '\\s' : small(part)));
  });
const small = (text: string) => (text.startsWith('\\') ? text : text.toLowerCase());
const capital = '\\p{Lu}';

/** One expression for all of them; null for none. */
export function compilePatterns(sources: string[], flags = 'gu'): RegExp | null {
  if (sources.length === 0) return null;
  return new RegExp(sources.map((source) => `(?:${prepared(source)})`).join('|'), flags);
}

/** Words of the catalog by the name of their list. */
export type Words = ReadonlyMap<string, string[]>;

const named = /(?<!\(\?)<([a-z_]{1,50})>/g;

/** The first list that a pattern names and the catalog lacks. */
export const unknownList = (source: string, words: Words): string | undefined =>
  [...source.matchAll(named)].map(([, name]) => name!).find((name) => !words.has(name));

/**
 * "<people>" stands for any word of the list "people", of which a hyphen may be a space, or be left out; "… " for up to
 * three words.
 */
const withWords = (source: string, words: Words): string =>
  source.replaceAll('… ', "(?:[\\p{L}\\p{N}&'-]{1,20} ){0,3}").replace(named, (_, name: string) => {
    const any = (words.get(name) ?? []).map((word) => word.replaceAll('-', '[ -]?'));
    return `(?:${any.toSorted().join('|')})`;
  });

/**
 * Patterns of answers: those that ask for a capital letter read the text as it was written, and so ignore case
 * otherwise, which costs more.
 */
export function compileAnswers(sources: string[], words: Words): RegExp[] {
  const full = sources.map((source) => withWords(source, words));
  const { cased = [], plain = [] } = Object.groupBy(full, (source) => (source.includes(capital) ? 'cased' : 'plain'));
  return [compilePatterns(plain), compilePatterns(cased, 'giu')].filter((pattern) => pattern !== null);
}
