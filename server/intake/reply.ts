import type { IntentBrief } from '../../contract/job.ts';
import type { Family, Option } from '../catalog/catalog.ts';
import { count, promise } from './questions.ts';
import type { NamedFile, Reading } from './parse-message.ts';
import { chosenOption, type Question, questionOf, type State } from './state.ts';

/** Adds a full stop unless the text already ends a sentence. */
const sentence = (text: string): string => (/[.!?…]["”'’)]*$/u.test(text) ? text : `${text}.`);
const list = (words: string[]): string => words.join(', ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `tries`: 0 first, 1 repeated, 2 with the full explanation and how to skip. */
export function questionFor(family: Family, question: NonNullable<Question>, tries: number): string {
  if (question === 'option') return optionQuestion(family, tries);
  const { question: asks, hint, example } = question;
  const text = [asks, ...(tries === 1 ? [] : [sentence(hint)]), `For example: ${sentence(example)}`].join(' ');
  return tries < 2
    ? text
    : `${text}\nIf you cannot say, answer “you decide” to leave it to the studio, or “skip” to leave it open.`;
}

function optionQuestion({ options, intake_requirements }: Family, tries: number): string {
  if (tries === 0) return `Which of these do you need: ${list(options.map(({ name }) => name))}?`;
  const about = (option: Option) => option.description + (tries < 2 ? '' : ` ${capital(promise(option))}.`);
  return [
    'Which of these do you need? A number will do.',
    ...options.map((option, i) => `${i + 1}. ${option.name}: ${about(option)}`),
    ...(tries < 2
      ? []
      : [
          `The studio needs to know for each: ${list(intake_requirements.map(({ label }) => label))}.`,
          'If you cannot say, answer “the studio decides”.',
        ]),
  ].join('\n');
}

export function greeting(family: Family, state: State): string {
  const option = chosenOption(family, state);
  const questions = count(family.intake_requirements.length, 'short question');
  const hello = option
    ? `Hello! ${option.name}: ${option.description} ${capital(promise(option))}. I have ${questions}.`
    : `Hello, and welcome to ${family.name}. ${family.description}`;
  return `${hello}\n\n${questionFor(family, questionOf(family, state)!, 0)}`;
}

/** Repeats what was understood, so that the customer can correct it. */
export function acknowledge({ option, notes, guessed, keep }: Reading, files: NamedFile[]): string {
  const answers = notes.flatMap((note) => ('answer' in note ? `${note.requirement}: ${sentence(note.answer)}` : []));
  const left = notes.flatMap((note) => ('left' in note ? note.requirement : []));
  // One sentence may answer several requirements.
  const byAnswer = [...Map.groupBy(guessed, ({ answer }) => answer)];
  const guesses = byAnswer.map(
    ([answer, all]) => `${list(all.map(({ requirement }) => requirement))}: ${sentence(answer)}`,
  );
  const onlyKept = keep && !option && notes.length + guessed.length + files.length === 0;
  return [
    ...(option ? [`${option.name}, gladly.`] : []),
    ...answers,
    ...(guesses.length > 0 ? [...guesses, 'Right?'] : []),
    ...(left.length > 0 ? [`Left open: ${list(left)}.`] : []),
    ...(onlyKept ? ['I’ll pass that on to the studio as you wrote it.'] : []),
  ].join(' ');
}

export function aboutFiles(files: NamedFile[]): string {
  const names = files.flatMap(({ name }) => name ?? []);
  const unknown = files.flatMap(({ id, name }) => (name === null ? id : []));
  return [
    ...(names.length > 0 ? [`I’ll attach to the brief: ${list(names)}.`] : []),
    ...(unknown.length > 0 ? [`I cannot find an uploaded, unattached file of yours named ${list(unknown)}.`] : []),
  ].join(' ');
}

export function readBack(family: Family, state: State, brief: IntentBrief): string {
  const answered = brief.answered_requirements.map(({ requirement }) => requirement);
  const open = family.intake_requirements.map(({ label }) => label).filter((label) => !answered.includes(label));
  const option = family.options.find(({ id }) => id === brief.service_type)!;
  const rows = [
    brief.customer_title,
    ...brief.answered_requirements.map(({ requirement, answer }) => `${requirement}: ${answer}`),
    ...(state.option_left_to_studio ? ['The studio may choose another option.'] : []),
    ...(open.length > 0 ? [`Left open: ${list(open)}`] : []),
    ...(state.files.length > 0 ? [`Files: ${list(state.files.map(({ name }) => name))}`] : []),
    ...(state.own_words.length > 0 ? ['Your other messages go to the studio as you wrote them.'] : []),
  ];
  return `Here is your brief, version ${brief.version}:\n\n${rows.join('\n')}\n\n${capital(promise(option))}. Tell me what to change, such as “${family.intake_requirements[0]!.label}: …”, or confirm the brief to order the job.`;
}
