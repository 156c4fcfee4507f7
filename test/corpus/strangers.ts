import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * An order as one customer would write it, without having read the intake. The entries measure it: nobody reads them
 * in order to write a rule. Those of `fresh` were written before the concierge was made to do less.
 */
type Entry = {
  id: string;
  language: 'en' | 'de';
  writer: string;
  /** What the customer wants in the end, as family/option. */
  service: string;
  /** The service chosen in the catalog before the first message. */
  chosen?: string;
  /** Sent in turn, whatever the concierge says. */
  messages: string[];
  /** Facts in the messages: requirement → the words that answer it. Of several, any one will do. */
  prose?: Record<string, string | string[]>;
  /** Facts behind a label: requirement → the exact value. */
  labelled?: Record<string, string>;
  /** Replies to the question for a requirement ("service": which service), one for each time it is asked. */
  when_asked?: Record<string, string | string[]>;
  /** Sent when nothing is asked any more, before the brief is confirmed. */
  at_the_end?: string[];
  /** What a requirement must end with, where that is not the last reply. null: not judged. */
  ends?: Record<string, string | null>;
  /** Messages, or sentences of them, that answer nothing. */
  no_answers?: string[];
  /** The reply to any other question. It answers nothing. */
  otherwise: string;
  /** Words that must stand in the brief, in a field or as the customer's own words. */
  keep: string[];
  /** The day of the wish, where the messages name one. */
  wanted_by?: string;
};

/** An entry with every list filled in and the replies as lists. */
export type Stranger = Required<Omit<Entry, 'chosen' | 'prose' | 'when_asked' | 'wanted_by'>> & {
  chosen: string | null;
  wanted_by: string | null;
  prose: Record<string, string[]>;
  when_asked: Record<string, string[]>;
};

const listed = (values: Record<string, string | string[]> = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([label, value]) => [label, [value].flat()]));

export function readStrangers(part: 'unseen' | 'fresh'): Stranger[] {
  const folder = join(import.meta.dirname, part);
  return readdirSync(folder).flatMap((file) =>
    (parse(readFileSync(join(folder, file), 'utf8')) as Entry[]).map((entry) => ({
      labelled: {},
      ends: {},
      at_the_end: [],
      no_answers: [],
      wanted_by: null,
      ...entry,
      chosen: entry.chosen ?? null,
      prose: listed(entry.prose),
      when_asked: listed(entry.when_asked),
    })),
  );
}

/** Everything the customer may write. */
export const writings = ({ messages, when_asked, at_the_end, otherwise }: Stranger): string[] => [
  ...messages,
  ...Object.values(when_asked).flat(),
  ...at_the_end,
  otherwise,
];

/** Letters and digits alone, so that line breaks, bullets, quotes and full stops make no difference. */
export const wordsOf = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

export const containsWords = (text: string, words: string): boolean => wordsOf(text).includes(wordsOf(words));

/** The reply without the sentences that answer nothing; empty where nothing is left. */
export const answerIn = ({ no_answers }: Stranger, reply: string): string =>
  no_answers.reduce((rest, no) => rest.replace(no, ''), reply).trim();
