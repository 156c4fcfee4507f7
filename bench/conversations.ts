import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCatalog } from '../server/catalog/load-catalog.ts';
import { conciergeOf } from '../test/corpus/concierge.ts';
import { play } from '../test/corpus/play.ts';
import { type Counted, type Score, scoreOf } from '../test/corpus/score.ts';
import { readStrangers, type Stranger } from '../test/corpus/strangers.ts';

/** Plays both parts of the strangers against the intake and writes bench/CONVERSATIONS.md. */
const concierge = conciergeOf(loadCatalog(join(import.meta.dirname, '../catalog')));
type Result = { stranger: Stranger; score: Score };
const playAll = (strangers: Stranger[]) =>
  strangers.map((stranger): Result => ({ stranger, score: scoreOf(stranger, play(concierge, stranger)) }));
const [seen, unseen] = [playAll(readStrangers('strangers')), playAll(readStrangers('unseen'))];
const results = [...seen, ...unseen];
const inLanguage = (among: Result[], language: string) =>
  among.filter(({ stranger }) => stranger.language === language);
const columns: [string, Result[]][] = [
  ['English', inLanguage(seen, 'en')],
  ['German', inLanguage(seen, 'de')],
  ['unseen once, English', inLanguage(unseen, 'en')],
  ['unseen once, German', inLanguage(unseen, 'de')],
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

/** Last: the first run on the unseen conversations, before a rule was changed for them. */
const figures: [string, (among: Result[]) => string, string, [string, string]][] = [
  [
    'conversations that end in the correct brief',
    conversations(({ correct }) => correct),
    '',
    ['12 of 14 (86 %)', '6 of 6 (100 %)'],
  ],
  [
    'conversations that end with the right service',
    conversations(({ service }) => service),
    '',
    ['14 of 14 (100 %)', '6 of 6 (100 %)'],
  ],
  ['facts of prose found in their field', ratio(({ placed }) => placed), '', ['6 of 30 (20 %)', '–']],
  ['suggestions that are right', ratio(({ suggested }) => suggested), '≥ 95 %', ['13 of 13 (100 %)', '–']],
  ['labelled facts right to the character', ratio(({ labelled }) => labelled), '≥ 98 %', ['17 of 19 (89 %)', '–']],
  ['labelled requirements asked for again', ratio(({ askedAgain }) => askedAgain), '0', ['0 of 19 (0 %)', '–']],
  ['wrong values in fields the customer never set', number(({ untouched }) => untouched), '0', ['0', '0']],
  ['right values among at least as many other words', number(({ wordy }) => wordy), '', ['1', '0']],
  ['values the customer set that end as something else', number(({ altered }) => altered), '', ['1', '0']],
  ['answers of the customer that end empty', inEnglish(number(({ lost }) => lost)), '', ['0', '–']],
  [
    'messages without an answer taken for one',
    ratio(({ nonAnswers }) => nonAnswers),
    '0',
    ['1 of 15 (7 %)', '0 of 7 (0 %)'],
  ],
  [
    'words to keep that stand in the brief',
    ratio(({ keptWords }) => keptWords),
    '',
    ['15 of 15 (100 %)', '7 of 7 (100 %)'],
  ],
  [
    'messages of the customer, mean',
    (among) => (total(among, ({ messages }) => messages) / among.length).toFixed(1),
    '',
    ['5.2', '7.2'],
  ],
];

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const byRequirement = Map.groupBy(
  results.flatMap(({ stranger, score }) =>
    score.untouched.map((label) => `${stranger.service.split('/')[0]}: ${label}`),
  ),
  (label) => label,
);

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

const measured = figures.map(([name, show, goal, first]) => [
  name,
  ...columns.map(([, among]) => show(among)),
  ...first,
  goal,
]);
const head = ['figure', ...columns.map(([column]) => column), 'first run, English', 'first run, German', 'goal'];
console.table(measured.map((cells) => Object.fromEntries(cells.map((cell, i) => [head[i], cell]))));
writeFileSync(
  join(import.meta.dirname, 'CONVERSATIONS.md'),
  `# How conversations with strangers end

Made by \`npm run bench:conversations\` from the ${seen.length} conversations of \`test/corpus/strangers\` and the ${unseen.length} of
\`test/corpus/unseen\`. Each is played against the intake, without a model. In German, facts need not be found; what is
taken for an answer, wrong values and kept words count.

The intake was measured on the first set while it was written, so those figures flatter it. The first run is that of
23 November 2026 on the unseen set, which the author of the intake had not read: those two columns say what to expect of the
next customer. Rules were mended afterwards with that set in view, so "unseen once" flatters, too. The customer of a
conversation dismisses wrong suggestions, so a wrong value counts only where the intake fills a field without asking.

${table(head, measured)}

Wrong values in fields the customer never set, by requirement:

${table(
  ['requirement', 'wrong values'],
  [...byRequirement].toSorted(([, a], [, b]) => b.length - a.length).map(([label, all]) => [label, String(all.length)]),
)}

Each conversation:

${table(
  ['conversation', 'service', 'correct brief', 'what is wrong'],
  results.map(({ stranger: { id, service }, score }) => [id, service, score.correct ? 'yes' : 'no', remarks(score)]),
)}
`,
);
