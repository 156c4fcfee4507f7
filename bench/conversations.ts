import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { conciergeOf } from '../test/corpus/concierge.ts';
import { play } from '../test/corpus/play.ts';
import { type Counted, type Score, scoreOf } from '../test/corpus/score.ts';
import { readStrangers, type Stranger } from '../test/corpus/strangers.ts';

/** Plays the strangers against the intake and writes bench/CONVERSATIONS.md. */
const concierge = conciergeOf(loadCatalog(join(import.meta.dirname, '../catalog')));
type Result = { stranger: Stranger; score: Score };
const playAll = (strangers: Stranger[]) =>
  strangers.map((stranger): Result => ({ stranger, score: scoreOf(stranger, play(concierge, stranger)) }));
const [unseen, fresh] = [playAll(readStrangers('unseen')), playAll(readStrangers('fresh'))];
const results = [...unseen, ...fresh];
const inLanguage = (among: Result[], language: string) =>
  among.filter(({ stranger }) => stranger.language === language);
const columns: [string, Result[]][] = [
  ['unseen, English', inLanguage(unseen, 'en')],
  ['unseen, German', inLanguage(unseen, 'de')],
  ['fresh, English', inLanguage(fresh, 'en')],
  ['fresh, German', inLanguage(fresh, 'de')],
];

const shareOf = (some: number, all: number) =>
  all === 0 ? '–' : `${some} of ${all} (${((100 * some) / all).toFixed(0)} %)`;
const total = (among: Result[], count: (score: Score) => number) =>
  among.reduce((sum, { score }) => sum + count(score), 0);
const ratio = (of: (score: Score) => Counted) => (among: Result[]) =>
  shareOf(
    total(among, (score) => of(score).items.length),
    total(among, (score) => of(score).of),
  );
const conversations = (is: (score: Score) => boolean) => (among: Result[]) =>
  shareOf(
    total(among, (score) => (is(score) ? 1 : 0)),
    among.length,
  );
const number = (items: (score: Score) => string[]) => (among: Result[]) =>
  String(total(among, (score) => items(score).length));
const inEnglish = (show: (among: Result[]) => string) => (among: Result[]) =>
  among[0]?.stranger.language === 'en' ? show(among) : '–';

/** Last: all forty with the concierge before it was made to do less. */
const figures: [string, (among: Result[]) => string, goal: string, before: string][] = [
  ['conversations that end in the correct brief', conversations(({ correct }) => correct), '', '36 of 40'],
  ['conversations that end with the right service', conversations(({ service }) => service), '', '40 of 40'],
  ['facts of prose found in their field', ratio(({ placed }) => placed), '', '30 of 43'],
  ['suggestions that are right', ratio(({ suggested }) => suggested), '≥ 95 %', '34 of 37'],
  ['labelled facts right to the character', ratio(({ labelled }) => labelled), '≥ 95 %', '26 of 27'],
  ['labelled requirements asked for again', ratio(({ askedAgain }) => askedAgain), '0', '0 of 27'],
  ['wrong values in fields the customer never set', number(({ untouched }) => untouched), '0', '2'],
  ['right values among at least as many other words', number(({ wordy }) => wordy), '', '0'],
  ['values the customer set that end as something else', number(({ altered }) => altered), '', '1'],
  ['answers of the customer that end empty', inEnglish(number(({ lost }) => lost)), '', '1'],
  ['messages without an answer taken for one', ratio(({ nonAnswers }) => nonAnswers), '0', '2 of 58'],
  ['days that became the wish', ratio(({ wish }) => wish), '', '0 of 5'],
  ['words to keep that stand in the brief', ratio(({ keptWords }) => keptWords), '', '43 of 44'],
  [
    'messages of the customer, mean',
    (among) => (total(among, ({ messages }) => messages) / among.length).toFixed(1),
    '',
    '5.8',
  ],
];

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function remarks({ service, untouched, wordy, altered, lost, nonAnswers, keptWords }: Score): string {
  const list = (name: string, items: string[]) => (items.length > 0 ? [`${name}: ${items.join(', ')}`] : []);
  return [
    ...(service ? [] : ['wrong service']),
    ...list('never set', untouched),
    ...list('wordy', wordy),
    ...list('altered', altered),
    ...list('empty', lost),
    ...(nonAnswers.items.length > 0 ? [`taken for an answer: ${nonAnswers.items.length} of ${nonAnswers.of}`] : []),
    ...(keptWords.items.length < keptWords.of ? [`words kept: ${keptWords.items.length} of ${keptWords.of}`] : []),
  ].join('; ');
}

const measured = figures.map(([name, show, goal, before]) => [
  name,
  ...columns.map(([, among]) => show(among)),
  before,
  goal,
]);
const head = ['figure', ...columns.map(([column]) => column), 'before, all', 'goal'];
console.table(measured.map((cells) => Object.fromEntries(cells.map((cell, i) => [head[i], cell]))));
writeFileSync(
  join(import.meta.dirname, 'CONVERSATIONS.md'),
  `# How conversations with strangers end

Made by \`npm run bench:conversations\` from the ${unseen.length} conversations of \`test/corpus/unseen\` and the ${fresh.length} of
\`test/corpus/fresh\`. Each is played against the intake, without a model. In German, facts need not be found; what is
taken for an answer, wrong values and kept words count.

Rules were mended with \`unseen\` in view, so its figures flatter the intake. \`fresh\` was written before the concierge was made
to do less, without looking at its rules; its first results were in view while the rules were made, so they flatter, too. "Before" is the concierge until then on all ${results.length}, on 29 November 2026. The
customer of a conversation dismisses wrong suggestions, so a wrong value counts only where the intake fills a field without
asking.

${table(head, measured)}

Each conversation:

${table(
  ['conversation', 'service', 'correct brief', 'what is wrong'],
  results.map(({ stranger: { id, service }, score }) => [id, service, score.correct ? 'yes' : 'no', remarks(score)]),
)}
`,
);
