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

/** A file that a message names; `name` is null where the account has no such file to give. */
export type NamedFile = { id: string; name: string | null };

/** What a model made of a message, after everything in it was checked. It proposes; the rules decide. */
export type Proposal = { answers: Answer[]; service_type: string | null };

export type Message = {
  text: string;
  files: NamedFile[];
  proposal: Proposal | null;
  /** The first words of a conversation: nothing was asked before them. */
  opening?: true;
};

/** What a message says of the work. */
export type Told = {
  option: Option | null;
  /** Answers, and what the message leaves open by its name: "Length: TBD". */
  notes: Note[];
  /** Answers that were read out of free talk: the customer is asked whether they are right. */
  guessed: Answer[];
  /** The message goes into the brief as it stands. */
  keep: boolean;
};

/** A message is a command, a question that the catalog answers, or tells something of the work. */
export type Parsed =
  | { kind: 'command'; name: CommandName; label: string | null }
  | { kind: 'question'; answer: string }
  | { kind: 'told'; told: Told };

const nothing: Told = { option: null, notes: [], guessed: [], keep: false };

/**
 * Commands, then `label: answer` lines, then a numbered list; else the whole message answers the question that was asked.
 * The opening answers none.
 */
export function parseMessage(
  family: Family,
  state: State,
  asked: Question,
  plans: Iterable<Plan>,
  message: Message,
): Parsed {
  const { files, proposal } = message;
  const text = files.reduce((said, { id, name }) => (name === null ? said : said.replaceAll(id, name)), message.text);
  const command = commandIn(family, state, asked, text);
  if (command) return { kind: 'command', ...command };
  const answer = answerFromCatalog(family, state, asked, plans, text);
  if (answer !== null) return { kind: 'question', answer };
  const answers = message.opening ? null : asked;
  const told =
    inFiles(answers, message) ??
    inLabels(family, state, answers, text) ??
    inList(family, state, answers, text) ??
    (message.opening ? null : inName(family, answers, text)) ??
    inOwnWords(family, state, answers, text, proposal);
  return { kind: 'told', told };
}

const pointing =
  /\b(?:file_[0-9a-z]{26}|here|see|also|and|this|these|the|is|are|it|my|our|please|attached|files?)\b/giu;

/** "Here: file_…": the files go along. They answer what may stay open, which asks for material; else it is still asked. */
function inFiles(asked: Question, { text, files }: Message): Told | null {
  const answer = files.flatMap(({ name }) => name ?? []).join(', ');
  if (files.length === 0 || strip(text.replaceAll(pointing, '')) !== '') return null;
  const fits = asked !== null && asked !== 'option' && asked.optional && answer !== '';
  return { ...nothing, notes: fits ? [{ requirement: asked.label, answer }] : [] };
}

const serviceLine = /^\s{0,9}(?:service|option)\s{0,3}[:=]\s{0,3}(.{1,100})$/imu;

/** "Label: answer" in any usual form; what stands beside it on a single line answers what was asked. */
function inLabels(family: Family, state: State, asked: Question, given: string): Told | null {
  const { text, lower } = normalise(given);
  const parts = findLabelled(family, { text, lower });
  const service = serviceLine.exec(text)?.[1] ?? '';
  if (parts.length === 0 && service === '') return null;
  const notes = parts.map(({ label: requirement, answer: behind }): Note => {
    const answer = asAnswer(behind);
    return answer === null ? { requirement, left: 'open' } : { requirement, answer };
  });
  const rest = [...parts, { start: text.length }]
    .map(({ start }, i) => text.slice(parts[i - 1]?.end ?? 0, start).replace(serviceLine, ''))
    .map((part) => part.replace(/^[\s,;:.!|–—-]{1,20}|[\s,;|]{1,20}$/gu, ''))
    .join(' ')
    .trim();
  const beside = commandIn(family, state, asked, rest) ? '' : rest;
  const option = optionIn(family, service) ?? (state.service_type === null ? optionIn(family, beside) : null);
  if (parts.length === 0 && !option) return null;
  const answer = text.trim().includes('\n') || isQuestion(beside) ? null : asAnswer(beside);
  const isAsked =
    answer !== null && asked && asked !== 'option' && notes.every(({ requirement }) => requirement !== asked.label);
  return {
    option,
    notes: isAsked ? [...notes, { requirement: asked.label, answer }] : notes,
    guessed: [],
    keep: !isAsked && isAnswer(strip(beside)),
  };
}

const point = /^\s{0,9}(\d{1,2})[.)]/u;

/** Points with the numbers of requirements that nothing is known of stand for their labels. Any other list is one text. */
function inList(family: Family, state: State, asked: Question, text: string): Told | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const labels = lines.map((line) => family.intake_requirements[Number(point.exec(line)?.[1]) - 1]?.label);
  const points = labels[0] === undefined ? labels.slice(1) : labels;
  const fits = points.length > 1 && points.every((label) => label && !isNoted(state, label));
  if (!fits || new Set(points).size < points.length) return null;
  const labelled = lines.map((line, i) => line.replace(point, `${labels[i]}:`)).join('\n');
  return inLabels(family, state, asked, labelled);
}

/** "It is called Rise Bakery" is the name, whatever is asked; but for the option and for material, which have names too. */
function inName({ intake_requirements }: Family, asked: Question, text: string): Told | null {
  const requirement = intake_requirements.find(({ label }) => isName(label));
  const called = calledIn(text);
  if (!requirement || called === null || asked === 'option' || asked?.optional) return null;
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

/** When the work is needed is no answer to any question: "we need it by Friday", "it's urgent". */
function isDeadline(text: string): boolean {
  if (urgent.test(text)) return true;
  const lead = deadlines.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
  const rest = lead === undefined ? '' : text.slice(lead.length).toLowerCase();
  return rest.length <= 60 && rest.split(/[^a-z]+/).some((word) => times.has(word));
}

/** What a model found in the message; else it answers what was asked, unless it corrects or says something else. */
function inOwnWords(family: Family, state: State, asked: Question, text: string, proposal: Proposal | null): Told {
  const option = state.service_type === null ? optionMeant(family, text, proposal) : null;
  if (proposal && proposal.answers.length > 0) return guess(option, proposal.answers, text);
  const requirement = asked === 'option' ? null : asked;
  const corrected = corrects.test(text) ? asAnswer(text.replace(corrects, '')) : null;
  if (requirement && corrected === null) return answerTo(requirement, text);
  const found = findAnswers(family, text);
  if (requirement && corrected) return correction(state, requirement, corrected, found) ?? answerTo(requirement, text);
  // "A logo, please" names the option and says nothing else.
  if (option && text.trim().split(/\s+/u).length <= 4) return { ...nothing, option };
  return guess(
    option,
    found.filter((answer) => !isAnswered(state, answer.requirement)),
    text,
  );
}

const optionMeant = (family: Family, text: string, proposal: Proposal | null): Option | null =>
  optionChosen(family, text) ?? family.options.find(({ id }) => id === proposal?.service_type) ?? null;

function guess(option: Option | null, found: Answer[], text: string): Told {
  const guessed = found.map(({ requirement, answer }) => ({
    requirement,
    answer: answerFor(requirement, answer) ?? answer,
  }));
  return { option, notes: [], guessed, keep: guessed.length !== 1 || guessed[0]?.answer !== asAnswer(text) };
}

/** Of a sentence that tells a name, the name. */
const answerFor = (label: string, text: string): string | null =>
  (isName(label) ? nameIn(text) : null) ?? asAnswer(text);

function answerTo({ label, example }: Requirement, text: string): Told {
  const answer = (isQuestion(text) && !example.endsWith('?')) || isDeadline(text) ? null : answerFor(label, text);
  return answer === null ? { ...nothing, keep: true } : { ...nothing, notes: [{ requirement: label, answer }] };
}

/** "Actually it is 180 rows" corrects the answer that it looks like; "no, Rise" the last one. */
function correction({ notes }: State, asked: Requirement, answer: string, found: Answer[]): Told | null {
  const [last] = found.length === 0 && !asked.optional ? notes.slice(-1) : [];
  const wrong = notes.find((note) => found.some(({ requirement }) => requirement === note.requirement)) ?? last;
  return wrong
    ? {
        ...nothing,
        notes: [{ requirement: wrong.requirement, answer: answerFor(wrong.requirement, answer) ?? answer }],
      }
    : null;
}
