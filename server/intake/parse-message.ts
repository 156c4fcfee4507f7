import type { Family, Option, Plan, Requirement } from '../catalog/catalog.ts';
import { type Answer, findAnswers } from '../requirements/find-answers.ts';
import { findLabelled } from '../requirements/labels.ts';
import { calledIn, isName, nameIn } from '../requirements/name.ts';
import { normalise } from '../requirements/normalise.ts';
import { optionChosen, optionIn } from '../requirements/option.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';
import { type CommandName, commandIn } from './commands.ts';
import { answerFromCatalog, isQuestion } from './questions.ts';
import { asAnswer, isAnswered, isNoted, type Note, type Question, type State } from './state.ts';

/** `name` is null if the account cannot attach such a file. */
export type NamedFile = { id: string; name: string | null };

/** The model's checked output. It only proposes; the rules decide. */
export type Proposal = { answers: Answer[]; service_type: string | null };

export type Message = {
  text: string;
  files: NamedFile[];
  proposal: Proposal | null;
  /** The first message of a conversation answers no question. */
  opening?: true;
};

/** What a message says about the work. */
export type Reading = {
  option: Option | null;
  /** Answers, and requirements that the message leaves open by name: "Length: TBD". */
  notes: Note[];
  /** Answers found in free text, which the customer is asked to confirm. */
  guessed: Answer[];
  /** The message goes into the brief unchanged. */
  keep: boolean;
};

export type Parsed =
  | { kind: 'command'; name: CommandName; label: string | null }
  | { kind: 'question'; answer: string }
  | { kind: 'reading'; reading: Reading };

const nothing: Reading = { option: null, notes: [], guessed: [], keep: false };

/** Commands, then `label: answer`, then a numbered list; else it all answers the question. */
export function parseMessage(
  family: Family,
  state: State,
  question: Question,
  plans: Iterable<Plan>,
  message: Message,
): Parsed {
  const { files, proposal } = message;
  const text = files.reduce((said, { id, name }) => (name === null ? said : said.replaceAll(id, name)), message.text);
  const command = commandIn(family, state, question, text);
  if (command) return { kind: 'command', ...command };
  const answer = answerFromCatalog(family, state, question, plans, text);
  if (answer !== null) return { kind: 'question', answer };
  const answers = message.opening ? null : question;
  const reading =
    inFiles(answers, message) ??
    inLabels(family, state, answers, text) ??
    inList(family, state, answers, text) ??
    (message.opening ? null : inName(family, answers, text)) ??
    inOwnWords(family, state, answers, text, proposal);
  return { kind: 'reading', reading };
}

const pointing =
  /\b(?:file_[0-9a-z]{26}|here|see|also|and|this|these|the|is|are|it|my|our|please|attached|files?)\b/giu;

/** "Here: file_…" answers an optional requirement. Any other question is repeated. */
function inFiles(question: Question, { text, files }: Message): Reading | null {
  const answer = files.flatMap(({ name }) => name ?? []).join(', ');
  if (files.length === 0 || strip(text.replaceAll(pointing, '')) !== '') return null;
  const fits = question !== null && question !== 'option' && question.optional && answer !== '';
  return { ...nothing, notes: fits ? [{ requirement: question.label, answer }] : [] };
}

const serviceLine = /^\s{0,9}(?:service|option)\s{0,3}[:=]\s{0,3}(.{1,100})$/imu;

/** "Label: answer" in any usual form. Other text on a single line answers the question. */
function inLabels(family: Family, state: State, question: Question, message: string): Reading | null {
  const { text, lower } = normalise(message);
  const labelled = findLabelled(family, { text, lower });
  const service = serviceLine.exec(text)?.[1] ?? '';
  if (labelled.length === 0 && service === '') return null;
  const notes = labelled.map(({ label: requirement, answer: behind }): Note => {
    const answer = asAnswer(behind);
    return answer === null ? { requirement, left: 'open' } : { requirement, answer };
  });
  const rest = [...labelled, { start: text.length }]
    .map(({ start }, i) => text.slice(labelled[i - 1]?.end ?? 0, start).replace(serviceLine, ''))
    .map((part) => part.replace(/^[\s,;:.!|–—-]{1,20}|[\s,;|]{1,20}$/gu, ''))
    .join(' ')
    .trim();
  const beside = commandIn(family, state, question, rest) ? '' : rest;
  const option = optionIn(family, service) ?? (state.service_type === null ? optionIn(family, beside) : null);
  if (labelled.length === 0 && !option) return null;
  const answer = text.trim().includes('\n') || isQuestion(beside) ? null : asAnswer(beside);
  const isAsked =
    answer !== null &&
    question &&
    question !== 'option' &&
    notes.every(({ requirement }) => requirement !== question.label);
  return {
    option,
    notes: isAsked ? [...notes, { requirement: question.label, answer }] : notes,
    guessed: [],
    keep: !isAsked && isAnswer(strip(beside)),
  };
}

const point = /^\s{0,9}(\d{1,2})[.)]/u;

/** A numbered list answers the requirements with these numbers, if none of them is noted yet. */
function inList(family: Family, state: State, question: Question, text: string): Reading | null {
  const rows = text.split('\n').filter((line) => line.trim() !== '');
  const labels = rows.map((line) => family.intake_requirements[Number(point.exec(line)?.[1]) - 1]?.label);
  const points = labels[0] === undefined ? labels.slice(1) : labels;
  const fits = points.length > 1 && points.every((label) => label && !isNoted(state, label));
  if (!fits || new Set(points).size < points.length) return null;
  const labelled = rows.map((line, i) => line.replace(point, `${labels[i]}:`)).join('\n');
  return inLabels(family, state, question, labelled);
}

/** "It is called Rise Bakery" gives the name at any question except for the option and material. */
function inName({ intake_requirements }: Family, question: Question, text: string): Reading | null {
  const requirement = intake_requirements.find(({ label }) => isName(label));
  const called = calledIn(text);
  if (!requirement || called === null || question === 'option' || question?.optional) return null;
  const answer = nameIn(text) ?? asAnswer(called);
  if (answer === null) return null;
  return { ...nothing, notes: [{ requirement: requirement.label, answer }], keep: strip(called) !== strip(answer) };
}

const corrects = /^(?:no,|sorry,|actually,?|i meant|i mean,?|correction:|rather) {0,3}(?:make (?:it|that) )?/iu;

const days = 'sunday monday tuesday wednesday thursday friday saturday weekend week weeks today tonight tomorrow';
const months = 'january february march april may june july august september october november december';
const times = new Set(`${days} ${months} days month months christmas easter`.split(' '));
const deadlines = [
  /^(?:by|before|within|no later than) /iu,
  /^.{0,40}\b(?:need|want|have|love|like|get) (?:it|this|that|them|everything)\b.{0,20}? (?:by|before|until|on|in|within) /iu,
  /^.{0,40}\b(?:be (?:done|ready|finished|delivered)|deadline|due)\b.{0,20}? (?:by|before|until|on|in|is|within) /iu,
];
const urgent = /^(?:(?:please|it|this|is|it['’]s|very|really|quite) )*(?:urgent|asap|as soon as possible)\b.{0,10}$/iu;

/** A deadline answers no question: "we need it by Friday", "it's urgent". */
function isDeadline(text: string): boolean {
  if (urgent.test(text)) return true;
  const lead = deadlines.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
  const rest = lead === undefined ? '' : text.slice(lead.length).toLowerCase();
  return rest.length <= 60 && rest.split(/[^a-z]+/).some((word) => times.has(word));
}

/** The model's proposal; else the answer to the question, unless it is about something else. */
function inOwnWords(
  family: Family,
  state: State,
  question: Question,
  text: string,
  proposal: Proposal | null,
): Reading {
  const option = state.service_type === null ? optionMeant(family, text, proposal) : null;
  if (proposal && proposal.answers.length > 0) return guess(option, proposal.answers, text);
  const requirement = question === 'option' ? null : question;
  const corrected = corrects.test(text) ? asAnswer(text.replace(corrects, '')) : null;
  if (requirement && corrected === null) return answerTo(requirement, text);
  const answers = findAnswers(family, text);
  if (requirement && corrected)
    return correction(state, requirement, corrected, answers) ?? answerTo(requirement, text);
  // "A logo, please" only names the option.
  if (option && text.trim().split(/\s+/u).length <= 4) return { ...nothing, option };
  return guess(
    option,
    answers.filter((answer) => !isAnswered(state, answer.requirement)),
    text,
  );
}

const optionMeant = (family: Family, text: string, proposal: Proposal | null): Option | null =>
  optionChosen(family, text) ?? family.options.find(({ id }) => id === proposal?.service_type) ?? null;

function guess(option: Option | null, answers: Answer[], text: string): Reading {
  const guessed = answers.map(({ requirement, answer }) => ({
    requirement,
    answer: answerFor(requirement, answer) ?? answer,
  }));
  return { option, notes: [], guessed, keep: guessed.length !== 1 || guessed[0]?.answer !== asAnswer(text) };
}

/** Extracts the name from a sentence if the requirement asks for one. */
const answerFor = (label: string, text: string): string | null =>
  (isName(label) ? nameIn(text) : null) ?? asAnswer(text);

function answerTo({ label, example }: Requirement, text: string): Reading {
  const answer = (isQuestion(text) && !example.endsWith('?')) || isDeadline(text) ? null : answerFor(label, text);
  return answer === null ? { ...nothing, keep: true } : { ...nothing, notes: [{ requirement: label, answer }] };
}

/** "Actually it is 180 rows" corrects the most similar answer; "no, Rise" the last one. */
function correction({ notes }: State, question: Requirement, answer: string, answers: Answer[]): Reading | null {
  const [last] = answers.length === 0 && !question.optional ? notes.slice(-1) : [];
  const wrong = notes.find((note) => answers.some(({ requirement }) => requirement === note.requirement)) ?? last;
  return wrong
    ? {
        ...nothing,
        notes: [{ requirement: wrong.requirement, answer: answerFor(wrong.requirement, answer) ?? answer }],
      }
    : null;
}
