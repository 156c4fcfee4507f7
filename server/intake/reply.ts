import type { Family, Requirement } from '../catalog/catalog.ts';
import type { Answer } from '../requirements/find-answers.ts';
import type { Brief } from './brief.ts';
import type { Effect } from './commands.ts';
import type { Message, Told } from './parse-message.ts';
import { count, promise } from './questions.ts';
import { chosenOption, missingOf, type Question, type State } from './state.ts';

/** A sentence ends once, whatever stands at its end. */
const sentence = (text: string): string => (/[.!?…]["”'’)]*$/u.test(text) ? text : `${text}.`);
const list = (words: string[]): string => words.join(', ');

/** How a question is put: new, after a message that did not answer it, with the ways out, or with all there is to say. */
type Manner = 'new' | 'again' | 'choices' | 'explained';

const waysOut = 'If you cannot say, answer “you decide” to leave it to the studio, or “skip” to leave it open.';

function questionFor(family: Family, asked: Question, manner: Manner): string {
  if ('option' in asked) return optionQuestion(family, manner);
  const { question, hint, example } = family.intake_requirements.find(({ label }) => label === asked.requirement)!;
  const likely = `For example: ${sentence(example)}`;
  if (manner === 'again') return `${question} ${likely}`;
  if (manner === 'choices') return `${question} ${likely}\n${waysOut}`;
  return `${question} ${sentence(hint)} ${likely}${manner === 'explained' ? `\n${waysOut}` : ''}`;
}

function optionQuestion(family: Family, manner: Manner): string {
  if (manner === 'new') return `Which of these do you need: ${list(family.options.map(({ name }) => name))}?`;
  const options = family.options.map(
    (option, i) =>
      `${i + 1}. ${option.name}: ${option.description}${manner === 'explained' ? ` ${capital(promise(option))}.` : ''}`,
  );
  const needed = `For each the studio needs to know: ${list(family.intake_requirements.map(({ label }) => label))}.`;
  return [
    'Which of these do you need? A number will do.',
    ...options,
    ...(manner === 'explained' ? [needed] : []),
    ...(manner === 'again' ? [] : ['If you cannot say, answer “the studio decides”.']),
  ].join('\n');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The first words of a conversation: what the family offers, or what the chosen option is, and the first question. */
export function greeting(family: Family, state: State): string {
  const option = chosenOption(family, state);
  const questions = count(missingOf(family, state).length, 'short question');
  const hello = option
    ? `Hello! ${option.name}: ${option.description} ${capital(promise(option))}. I have ${questions}.`
    : `Hello, and welcome to ${family.name}. ${family.description}`;
  return state.asked ? `${hello}\n\n${questionFor(family, state.asked, 'new')}` : hello;
}

const echo = ({ requirement, answer }: Answer): string => `${requirement}: ${sentence(answer)}`;

/** One sentence may answer several requirements. */
function grouped(answers: Answer[]): Answer[] {
  const byAnswer = Map.groupBy(answers, ({ answer }) => answer);
  return [...byAnswer].map(([answer, all]) => ({ requirement: list(all.map((one) => one.requirement)), answer }));
}

/** What was understood, so that a wrong reading is seen at once and mended with one reply. */
function acknowledge(before: State, state: State, told: Told, { files }: Message): string {
  const option = told.option && state.service_type !== before.service_type ? `${told.option.name}, gladly.` : '';
  const guessed = told.guessed.length > 0 ? `${grouped(told.guessed).map(echo).join(' ')} Right?` : '';
  const open = told.open.length > 0 ? `Left open: ${list(told.open)}.` : '';
  const asks = told.keep && !option && told.answers.length + told.guessed.length === 0 && files.length === 0;
  return [
    option,
    told.answers.map(echo).join(' '),
    guessed,
    open,
    asks ? 'I keep that for the studio, in your own words.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function aboutFiles({ files }: Message): string {
  const known = files.flatMap(({ name }) => name ?? []);
  const unknown = files.flatMap(({ id, name }) => (name === null ? id : []));
  return [
    known.length > 0 ? `Along with the brief: ${list(known)}.` : '',
    unknown.length > 0 ? `I find no uploaded file of yours that is still free as ${list(unknown)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** The whole brief, read back. */
function readBack(family: Family, state: State, brief: Brief): string {
  const open = missingOf(family, state).map(({ label }: Requirement) => label);
  const option = chosenOption(family, state)!;
  const lines = [
    brief.customer_title,
    ...brief.answered_requirements.map(({ requirement, answer }) => `${requirement}: ${answer}`),
    ...(state.option_left_to_studio ? ['The studio may choose another option.'] : []),
    ...(open.length > 0 ? [`Left open: ${list(open)}`] : []),
    ...(state.files.length > 0 ? [`Files: ${list(state.files.map(({ name }) => name))}`] : []),
    ...(state.own_words.length > 0 ? ['What else you wrote goes along in your own words.'] : []),
  ];
  return `Here is your brief, version ${brief.version}:\n\n${lines.join('\n')}\n\n${capital(promise(option))}. Tell me what to change, such as “${family.intake_requirements[0]!.label}: …”, or confirm the brief to order the job.`;
}

/** What was noted so far, before there is a brief. */
function soFar({ answers, left }: State): string {
  const lines = Object.entries(answers).map(([requirement, answer]) => `${requirement}: ${answer}`);
  const open = Object.keys(left);
  if (open.length > 0) lines.push(`Left open: ${list(open)}`);
  return lines.length === 0 ? 'I have noted no answer yet.' : `So far I have:\n${lines.join('\n')}`;
}

const goOn = ({ asked }: State): string =>
  asked && 'requirement' in asked ? `${asked.requirement} stays open.` : 'We come back to that.';

type Turn = {
  before: State;
  state: State;
  brief: Brief | null;
  message: Message;
  effect: Effect;
  /** What the message says of the work; null for commands and questions. */
  told: Told | null;
  /** The same question as before stands. */
  again: boolean;
  /** The question before was met with something else too often. */
  goesOn: boolean;
};

/** What was understood or done, then the one question to ask, or the brief. */
export function compose(family: Family, { before, state, brief, message, effect, told, again, goesOn }: Turn): string {
  const opening = [
    effect.say,
    told ? acknowledge(before, state, told, message) : '',
    aboutFiles(message),
    goesOn ? goOn(before) : '',
    effect.summary && !brief ? soFar(state) : '',
  ].filter(Boolean);
  const changed = !again || told !== null || effect.state !== before || message.files.length > 0;
  const closing = brief
    ? changed || effect.summary
      ? readBack(family, state, brief)
      : `Your brief, now version ${brief.version}, is ready to be confirmed.`
    : questionFor(family, state.asked!, mannerOf(state, effect, again));
  return opening.length === 0 ? closing : `${opening.join(' ')}\n\n${closing}`;
}

function mannerOf({ misses }: State, { explain }: Effect, again: boolean): Manner {
  if (explain && again) return 'explained';
  if (misses >= 2) return 'choices';
  return again ? 'again' : 'new';
}
