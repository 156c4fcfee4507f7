/** Replaces each `{name}` of a text. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/gu, (_, name: string) => values[name] ?? '');

export const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Adds a full stop unless the text already ends a sentence. */
export const sentence = (text: string): string => (/[.!?…]["”'’)]*$/u.test(text) ? text : `${text}.`);
