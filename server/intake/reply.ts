import type { IntentBrief } from '../../contract/job.ts';
import type { Family, Option } from '../catalog/catalog.ts';
import { count, promise } from './questions.ts';
import type { NamedFile, Told } from './parse-message.ts';
import { chosenOption, type Question, questionOf, type State } from './state.ts';

/** A sentence ends once, whatever stands at its end. */
const sentence = (text: string): string => (/[.!?…]["”'’)]*$/u.test(text) ? text : `${text}.`);
const list = (words: string[]): string => words.join(', ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A question as it is put: 0 first, 1 again, 2 with all there is to say and the ways out. */
export function questionFor(family: Family, question: NonNullable<Question>, tries: number): string {
  if (question === 'option') return optionQuestion(family, tries);
  const { question: asks, hint, example } = question;
  const parts = [asks, ...(tries === 1 ? [] : [sentence(hint)]), `For example: ${sentence(example)}`].join(' ');
  return tries < 2
    ? parts
    : `${parts}\nIf you cannot say, answer “you decide” to leave it to the studio, or “skip” to leave it open.`;
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
          `For each the studio needs to know: ${list(intake_requirements.map(({ label }) => label))}.`,
          'If you cannot say, answer “the studio decides”.',
        ]),
  ].join('\n');
}

/** The first words of a conversation: what the family offers, or what the chosen option is, and the first question. */
export function greeting(family: Family, state: State): string {
  const option = chosenOption(family, state);
  const questions = count(family.intake_requirements.length, 'short question');
  const hello = option
    ? `Hello! ${option.name}: ${option.description} ${capital(promise(option))}. I have ${questions}.`
    : `Hello, and welcome to ${family.name}. ${family.description}`;
  return `${hello}\n\n${questionFor(family, questionOf(family, state)!, 0)}`;
}

/** What was understood, so that a wrong reading is seen at once and corrected with one reply. */
export function acknowledge({ option, notes, guessed, keep }: Told, files: NamedFile[]): string {
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
    ...(onlyKept ? ['I keep that for the studio, in your own words.'] : []),
  ].join(' ');
}

export function aboutFiles(files: NamedFile[]): string {
  const known = files.flatMap(({ name }) => name ?? []);
  const unknown = files.flatMap(({ id, name }) => (name === null ? id : []));
  return [
    ...(known.length > 0 ? [`Along with the brief: ${list(known)}.`] : []),
    ...(unknown.length > 0 ? [`I find no uploaded file of yours that is still free as ${list(unknown)}.`] : []),
  ].join(' ');
}

/** The whole brief, read back. */
export function readBack(family: Family, state: State, brief: IntentBrief): string {
  const answered = brief.answered_requirements.map(({ requirement }) => requirement);
  const open = family.intake_requirements.map(({ label }) => label).filter((label) => !answered.includes(label));
  const option = family.options.find(({ id }) => id === brief.service_type)!;
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
