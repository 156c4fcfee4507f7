import type { Step } from './play.ts';
import { answerIn, containsWords, type Stranger, wordsOf } from './strangers.ts';

/** `of`: how many were counted. `items`: those to which the name of the field applies. */
export type Counted = { of: number; items: string[] };

/** Fields with "English only" are empty for other languages. */
export type Score = {
  /** The brief is ready with the right service and all words to keep, and nothing below went wrong. */
  correct: boolean;
  service: boolean;
  /** Facts of prose that were found in their field before the customer repeated them. English only. */
  placed: Counted;
  /** Labelled facts that the brief holds to the character, but for white space and list marks. English only. */
  labelled: Counted;
  /** Labelled requirements that were asked for afterwards. English only. */
  askedAgain: Counted;
  /** Proposals of the concierge that are right. English only. */
  suggested: Counted;
  /** Requirements with a wrong value that the customer neither typed, labelled nor corrected. */
  untouched: string[];
  /** Requirements whose value is the right one among at least as many other words. */
  wordy: string[];
  /** Requirements that the customer set and that end with another value. */
  altered: string[];
  /** Requirements that the customer answered and that end empty. English only. */
  lost: string[];
  /** Messages, or sentences of them, without an answer that were taken for one. */
  nonAnswers: Counted;
  /** The day that the customer named is the wish. */
  wish: Counted;
  /** Words that had to be kept and stand in the brief. */
  keptWords: Counted;
  messages: number;
};

export function scoreOf(stranger: Stranger, steps: Step[]): Score {
  const { prose, labelled, ends, keep } = stranger;
  const { answers, brief, service, wanted_by } = steps.at(-1)!.decided;
  const english = stranger.language === 'en';
  const typed = typedAnswers(stranger, steps);
  const corrected = Object.keys(ends).filter((label) => ends[label] !== null);
  const touched = new Set([...Object.keys(typed), ...Object.keys(labelled), ...corrected]);
  const judged = (label: string) => ends[label] !== null;
  /** What the customer said last. Empty: the requirement has no right value. */
  const right = (label: string): string[] =>
    [ends[label] ?? typed[label] ?? labelled[label] ?? prose[label] ?? []].flat();
  const values = Object.entries(answers)
    .filter(([label]) => judged(label))
    .map(([label, value]) => ({ label, is: compare(label, value, right(label)) }));
  const which = (is: Comparison) => values.filter((value) => value.is === is).map(({ label }) => label);
  const owed = [prose, labelled, typed, ends].flatMap((facts) => Object.keys(facts)).filter(judged);
  const score = {
    service: service === stranger.service,
    placed: count(english ? Object.keys(prose) : [], (label) => isPlaced(stranger, steps, label)),
    labelled: count(english ? Object.keys(labelled) : [], (label) =>
      right(label).some((fact) => exact(fact) === exact(answers[label] ?? '')),
    ),
    askedAgain: count(english ? Object.keys(labelled) : [], (label) => isAskedAgain(stranger, steps, label)),
    suggested: english
      ? suggestionsIn(steps, (label) =>
          [ends[label] ?? [], typed[label] ?? [], labelled[label] ?? [], prose[label] ?? []].flat(),
        )
      : { of: 0, items: [] },
    untouched: which('wrong').filter((label) => !touched.has(label)),
    wordy: which('wordy'),
    altered: which('wrong').filter((label) => touched.has(label)),
    lost: english ? [...new Set(owed)].filter((label) => answers[label] === undefined) : [],
    nonAnswers: nonAnswersTaken(stranger, steps),
    wish: count(stranger.wanted_by === null ? [] : [stranger.wanted_by], (day) => day === wanted_by),
    keptWords: count(keep, (words) => brief !== null && containsWords(brief, words)),
    messages: steps.length,
  };
  const { untouched, wordy, altered, lost, nonAnswers } = score;
  const flaws = [untouched, wordy, altered, lost, nonAnswers.items].flat();
  const correct = brief !== null && score.service && flaws.length === 0 && score.keptWords.items.length === keep.length;
  return { ...score, correct };
}

const count = (all: string[], holds: (item: string) => boolean): Counted => ({
  of: all.length,
  items: all.filter(holds),
});

type Comparison = 'right' | 'wordy' | 'wrong';

/** One holds the other, and is at most twice as long. */
function agree(value: string, fact: string): boolean {
  const [short, long] = [wordsOf(value), wordsOf(fact)].toSorted((a, b) => a.length - b.length);
  return short!.trim() !== '' && long!.includes(short!) && short!.length * 2 >= long!.length;
}

/** A name among other words is not the name. */
function compare(label: string, value: string, facts: string[]): Comparison {
  if (facts.some((fact) => agree(value, fact))) return 'right';
  return facts.some((fact) => containsWords(value, fact)) && !/\bname\b/i.test(label) ? 'wordy' : 'wrong';
}

/** Rows of a list, wrapped lines and ";" are all written as ",", and a full stop at the end is left out. */
const exact = (text: string): string =>
  text
    .replace(/\s*(?:[;,](?=\s)|\n)\s*(?:[-*•]\s)?/gu, ', ')
    .replace(/(?:, )+/gu, ', ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^[-*•] |\.$/gu, '');

/** The last answer that the customer gave to each question. */
function typedAnswers(stranger: Stranger, steps: Step[]): Record<string, string> {
  const replies = steps.flatMap(({ to, text }) => (to === null || to === 'service' ? [] : [{ to, text }]));
  const answers = replies
    .filter(({ text }) => text !== stranger.otherwise)
    .map(({ to, text }) => [to, answerIn(stranger, text)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => answer !== ''));
}

/** Whether a customer would accept a suggestion that follows their message. */
export function isRight(
  { prose, labelled, ends, ...stranger }: Stranger,
  { to, text }: Pick<Step, 'to' | 'text'>,
  label: string,
  answer: string,
): boolean {
  const typed =
    to === label && text !== stranger.otherwise ? answerIn({ prose, labelled, ends, ...stranger }, text) : '';
  const facts = [ends[label] ?? [], labelled[label] ?? [], prose[label] ?? [], typed === '' ? [] : typed].flat();
  return compare(label, answer, facts) === 'right';
}

function isPlaced({ prose }: Stranger, steps: Step[], label: string): boolean {
  const repeated = steps.findIndex(({ to }) => to === label);
  return steps
    .slice(0, repeated === -1 ? steps.length : repeated)
    .some(({ turn }) =>
      [turn.suggestions[label], turn.answers[label]].some(
        (value) => value !== undefined && compare(label, value, prose[label]!) === 'right',
      ),
    );
}

function isAskedAgain({ labelled }: Stranger, steps: Step[], label: string): boolean {
  const labelledAt = steps.findIndex(({ text }) => containsWords(text, labelled[label]!));
  return steps.slice(labelledAt).some(({ turn }) => turn.asks === label);
}

/** `said`: everything the customer said about a requirement. A later correction makes no proposal wrong. */
function suggestionsIn(steps: Step[], said: (label: string) => string[]): Counted {
  const all = steps.flatMap(({ turn }) => Object.entries(turn.suggestions));
  const good = all.filter(([label, value]) => compare(label, value, said(label)) === 'right');
  return { of: all.length, items: good.map(([label]) => label) };
}

/** Taken for an answer: a field holds it after the message and did not before. */
function nonAnswersTaken({ no_answers, otherwise }: Stranger, steps: Step[]): Counted {
  const holds = (value: string, no: string) =>
    wordsOf(no).trim() === '' ? value === no : containsWords(value, no) || agree(value, no);
  const sent = steps.flatMap(({ text, decided }, i) =>
    [...new Set([...no_answers, otherwise])]
      .filter((no) => (no === otherwise ? text === no : text.includes(no)))
      .map((no) => ({ no, after: decided.answers, before: steps[i - 1]?.decided.answers ?? {} })),
  );
  const taken = sent.filter(({ no, after, before }) =>
    Object.entries(after).some(([label, value]) => value !== before[label] && holds(value, no)),
  );
  return { of: sent.length, items: taken.map(({ no }) => no) };
}
