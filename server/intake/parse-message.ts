import type { Family, Option, Plan, Requirement } from '../catalog/catalog.ts';
import { type Answer, findAnswers } from '../requirements/find-answers.ts';
import { findLabelled, type Labelled } from '../requirements/labels.ts';
import { normalise } from '../requirements/normalise.ts';
import { isAnswer, strip } from '../requirements/undecided.ts';
import { type CommandName, commandIn } from './commands.ts';
import type { Proposal } from './model.ts';
import { optionChosen, optionIn } from './option.ts';
import { answerFromCatalog, isQuestion, questionWanted } from './questions.ts';
import { asAnswer, askedRequirement, type State } from './state.ts';

/** A file that a message names; `name` is null where the account has no such file to give. */
export type NamedFile = { id: string; name: string | null };

/** What a customer sends, and what a model makes of it. */
export type Message = { text: string; files: NamedFile[]; proposal: Proposal | null };

/** What a message says of the work. */
export type Told = {
  option: Option | null;
  answers: Answer[];
  /** Answers that were read out of free talk: the customer is asked whether they are right. */
  guessed: Answer[];
  /** Requirements that the message leaves open by their name: "Length: TBD". */
  open: string[];
  /** The message goes into the brief as it stands. */
  keep: boolean;
};

/** A message is a command, a question that the catalog answers, or tells something of the work. */
export type Parsed =
  | { kind: 'command'; name: CommandName; label: string | null }
  | { kind: 'question'; answer: string }
  | { kind: 'told'; told: Told };

const nothing: Told = { option: null, answers: [], guessed: [], open: [], keep: false };

/** Commands, then `label: answer` lines, then a numbered list; else the whole message answers the question that was asked. */
export function parseMessage(family: Family, state: State, plans: Iterable<Plan>, message: Message): Parsed {
  const { text, proposal } = message;
  const command = commandIn(family, state, text);
  if (command) return { kind: 'command', ...command };
  const answer = answerFromCatalog(family, state, plans, text);
  if (answer !== null) return { kind: 'question', answer };
  const told =
    inFiles(family, state, message) ??
    inLabels(family, state, text) ??
    inList(family, state, text) ??
    inOwnWords(family, state, text, proposal);
  return { kind: 'told', told };
}

const pointing =
  /\b(?:file_[0-9a-z]{26}|here|see|also|and|this|these|the|is|are|it|my|our|please|attached|files?)\b/giu;

/** "Here: file_…": the files go along. They answer what may stay open, which asks for material; else it is still asked. */
function inFiles(family: Family, state: State, { text, files }: Message): Told | null {
  const names = files.flatMap(({ name }) => name ?? []).join(', ');
  if (files.length === 0 || strip(text.replaceAll(pointing, '')) !== '') return null;
  const asked = askedRequirement(family, state);
  return asked?.optional && names ? { ...nothing, answers: [{ requirement: asked.label, answer: names }] } : nothing;
}

const serviceLine = /^\s{0,9}(?:service|option)\s{0,3}[:=]\s{0,3}(.{1,100})$/imu;

/** "Label: answer" in any usual form; what stands beside it on a single line answers what was asked. */
function inLabels(family: Family, state: State, text: string): Told | null {
  const normalised = normalise(text);
  const named = serviceLine.exec(text)?.[1];
  const option = named ? optionIn(family, named) : null;
  const labelled = findLabelled(family, normalised);
  if (labelled.length === 0 && !option) return null;
  const rest = besides(normalised.text, labelled).replace(serviceLine, '');
  const beside = commandIn(family, state, rest) ? '' : rest;
  const told = labelled.flatMap(({ label, answer }) => {
    const given = asAnswer(answer);
    return given === null ? [] : [{ requirement: label, answer: given }];
  });
  const open = labelled.flatMap(({ label, answer }) => (asAnswer(answer) === null ? [label] : []));
  const asked = askedRequirement(family, state)?.label;
  const given = text.trim().includes('\n') || isQuestion(beside) ? null : asAnswer(beside);
  const answersAsked = given !== null && asked !== undefined && labelled.every(({ label }) => label !== asked);
  return {
    option: option ?? (state.service_type === null ? optionIn(family, beside) : null),
    answers: answersAsked ? [...told, { requirement: asked, answer: given }] : told,
    guessed: [],
    open,
    keep: !answersAsked && isAnswer(strip(beside)),
  };
}

/** What stands in front of, between and behind the labelled parts. */
function besides(text: string, labelled: Labelled[]): string {
  const parts = labelled.map(({ start }, i) => text.slice(labelled[i - 1]?.end ?? 0, start));
  return [...parts, text.slice(labelled.at(-1)?.end ?? 0)]
    .map((part) => part.replace(/^[\s,;:.!|–—-]{1,20}|[\s,;|]{1,20}$/gu, ''))
    .join(' ')
    .trim();
}

/** Numbered points answer the requirements by their numbers in the catalog, where none of these is answered yet. */
function inList(family: Family, state: State, text: string): Told | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const points = lines.flatMap((line) => {
    const [, number = '', rest = ''] = /^\s{0,9}(\d{1,2})[.)] {0,9}(\S.{0,3999})$/u.exec(line) ?? [];
    const label = family.intake_requirements[Number(number) - 1]?.label;
    return label && state.answers[label] === undefined ? [{ requirement: label, answer: rest }] : [];
  });
  const before = lines[0] && !/^\s{0,9}\d/u.test(lines[0]) ? lines.shift()! : '';
  const distinct = new Set(points.map(({ requirement }) => requirement)).size;
  if (points.length < 2 || points.length !== lines.length || distinct !== points.length) return null;
  const answers = points.flatMap(({ requirement, answer }) => {
    const given = asAnswer(answer);
    return given === null ? [] : [{ requirement, answer: given }];
  });
  const open = points.filter(({ answer }) => asAnswer(answer) === null).map(({ requirement }) => requirement);
  const option = state.service_type === null ? optionIn(family, before) : null;
  return { ...nothing, option, answers, open, keep: before !== '' && option === null };
}

const corrects = /^(?:no,|sorry,|actually,?|i meant|i mean,?|correction:|rather) {0,3}(?:make (?:it|that) )?/iu;

/** "No, Rise": the answer before was wrong, unless what follows fits what was asked. */
function correctionOfLast(family: Family, { history }: State, asked: Requirement, text: string): Answer | null {
  const last = history.at(-1);
  if (last === undefined || asked.optional || !corrects.test(text)) return null;
  if (findAnswers(family, text).some(({ requirement }) => requirement === asked.label)) return null;
  const answer = asAnswer(text.replace(corrects, ''));
  return answer === null ? null : { requirement: last, answer };
}

function inOwnWords(family: Family, state: State, text: string, proposal: Proposal | null): Told {
  if (proposal && proposal.answers.length > 0) return inProposal(family, state, text, proposal);
  const asked = askedRequirement(family, state);
  if (!asked) return freely(family, state, text, proposal);
  const correction = correctionOfLast(family, state, asked, text);
  if (correction) return { ...nothing, answers: [correction] };
  const answer = asAnswer(text);
  if (answer === null || (isQuestion(text) && !questionWanted(family, state))) return { ...nothing, keep: true };
  return { ...nothing, answers: [{ requirement: asked.label, answer }] };
}

/** The beginning of a conversation, or a remark to a brief: what the recogniser of drafts finds in it, and the text itself. */
function freely(family: Family, state: State, text: string, proposal: Proposal | null): Told {
  const option = newOption(family, state, text, proposal);
  const onlyOption = option !== null && text.trim().split(/\s+/u).length <= 4;
  const guessed = onlyOption
    ? []
    : findAnswers(family, text).filter(({ requirement }) => state.answers[requirement] === undefined);
  return { ...nothing, option, guessed: guessed.map(oneLine), keep: !onlyOption };
}

function newOption(family: Family, state: State, text: string, proposal: Proposal | null): Option | null {
  if (state.service_type !== null) return null;
  return optionChosen(family, text) ?? family.options.find(({ id }) => id === proposal?.service_type) ?? null;
}

const oneLine = ({ requirement, answer }: Answer): Answer => ({ requirement, answer: asAnswer(answer) ?? answer });

/** A model has read the message: what it found is what the message answers. */
function inProposal(family: Family, state: State, text: string, proposal: Proposal): Told {
  const [first, ...more] = proposal.answers;
  const isWhole = more.length === 0 && first?.answer === asAnswer(text);
  return {
    ...nothing,
    option: newOption(family, state, text, proposal),
    guessed: proposal.answers,
    keep: !isWhole,
  };
}
