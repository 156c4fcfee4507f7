import type { Family } from '../catalog/catalog.ts';
import type { Heard, HeardAnswer } from './heard.ts';
import { isSkip } from './left-open.ts';
import type { Proposal } from './proposal.ts';
import { asAnswer, askedOf, missingOf, requirementAsked, restarted, type Talk } from './talk.ts';

/** A file that a message names; `name` is null where the account has no such file to give. */
export type NamedFile = { id: string; name: string | null };

/** What a customer sends, and what a model makes of it. */
export type Message = { message: string; files: NamedFile[]; proposal: Proposal | null };

/** What a turn changed. */
export type Changes = {
  option: { name: string; changed: boolean } | null;
  noted: string[];
  corrected: { label: string; answer: string }[];
  added: string[];
  deadline: string | null;
  leftOpen: string[];
  /** What was taken back and is asked for again. */
  takenBack: string[];
  restarted: boolean;
  files: string[];
  unknownFiles: string[];
  /** The requirement that was asked for and answered plainly. */
  answered: string | null;
  /** The requirement that could not be answered, to be explained once. */
  toExplain: string | null;
};

function note(talk: Talk, changes: Changes, { label, answer, adds = false, guessed = false }: HeardAnswer): void {
  const known = talk.answers[label];
  if (known === answer) return;
  if (known === undefined) changes.noted.push(label);
  else if (adds) changes.added.push(label);
  else if (!changes.noted.includes(label)) changes.corrected.push({ label, answer });
  talk.answers[label] = adds && known !== undefined ? `${known}; ${answer}` : answer;
  talk.open = talk.open.filter((one) => one !== label);
  talk.guessed = talk.guessed.filter((one) => one !== label).concat(guessed ? [label] : []);
}

const called = /^(?:it(?:['’]s| is)|we(?:['’]re| are)|they(?:['’]re| are)) (?:called|named) /iu;
const framed = /^(?:it(?:['’]s| is)|we(?:['’]re| are)|that(?:['’]s| is)|i(?:['’]m| am)) (?=\p{L})/iu;

/** "We are called Rise", and to the question for a name also "we're Rise" or "it's Rise", say "Rise". */
function withoutFrame(asked: string, text: string): string {
  const answer = text.replace(called, '');
  return /\bname\b/iu.test(asked) ? answer.replace(framed, '') : answer;
}

/** What nothing else accounts for answers what was asked; a bare "no" does where the catalog lets it stay open. */
function answerToAsked(family: Family, talk: Talk, heard: Heard, proposals: Proposal['answers']): string | null {
  const asked = requirementAsked(family, talk);
  if (!asked || heard.unsorted || heard.answers.some(({ label }) => label === asked.label)) return null;
  const proposed = proposals.find(({ label }) => label === asked.label)?.answer;
  const no = heard.smallTalk === 'no' && asked.optional ? 'no' : null;
  return proposed ?? asAnswer(withoutFrame(asked.label, heard.rest.join(' '))) ?? no;
}

/** An optional requirement stays open at once; another is explained first, and stays open when that did not help. */
function leaveOpen(family: Family, asked: string | null, heard: Heard, talk: Talk, changes: Changes): void {
  const labels = [...new Set(heard.leftOpen)];
  // By its name it is left open whatever was said of it before.
  for (const label of labels) if (heard.answers.every((one) => one.label !== label)) forget(talk, label);
  const cannot = heard.skipped || heard.smallTalk === 'no';
  const given = heard.requests.includes('skipRest')
    ? missingOf(family, talk).map(({ label }) => label)
    : [asked].filter((label) => label !== null && cannot);
  for (const label of given) {
    if (label === null || talk.answers[label] !== undefined) continue;
    const optional = family.intake_requirements.some((one) => one.label === label && one.optional);
    if (optional || talk.explained.includes(label)) labels.push(label);
    else talk.explained.push(label);
    if (!labels.includes(label)) changes.toExplain ??= label;
  }
  changes.leftOpen = labels.filter((label) => talk.answers[label] === undefined && !talk.open.includes(label));
  talk.open.push(...changes.leftOpen);
}

function forget(talk: Talk, label: string): void {
  delete talk.answers[label];
  talk.guessed = talk.guessed.filter((one) => one !== label);
  talk.open = talk.open.filter((one) => one !== label);
}

/** What is taken back by its name, or as the last that a message answered, corrected or added to, is asked for again. */
function takeBack({ takenBack, requests }: Heard, talk: Talk, changes: Changes): void {
  const labels = takenBack.flatMap((one) => ('requirement' in one ? one.requirement : []));
  const last = talk.words
    .flatMap(({ told, about }) => told ?? (about === null ? [] : [about]))
    .findLast((label) => talk.answers[label] !== undefined);
  if (requests.includes('back') && last !== undefined) labels.push(last);
  const known = labels.filter((label) => talk.answers[label] !== undefined || talk.open.includes(label));
  for (const label of labels) forget(talk, label);
  if (takenBack.some((one) => 'deadline' in one)) talk.deadline = null;
  changes.takenBack = [...known, ...takenBack.flatMap((one) => ('deadline' in one ? 'Deadline' : []))];
}

/** What is known after a message. Nothing that the customer wrote is dropped: it is an answer, or kept as it stands. */
export function remember(
  family: Family,
  before: Talk,
  heard: Heard,
  { message, files, proposal }: Message,
): { talk: Talk; changes: Changes } {
  const again = heard.requests.includes('restart');
  const talk = again ? restarted(family, before) : structuredClone(before);
  const asked = askedOf(talk);
  const changes: Changes = {
    option: null,
    noted: [],
    corrected: [],
    added: [],
    deadline: heard.deadline,
    leftOpen: [],
    takenBack: [],
    restarted: again,
    files: files.flatMap(({ name }) => name ?? []),
    unknownFiles: files.flatMap(({ id, name }) => (name === null ? [id] : [])),
    answered: null,
    toExplain: null,
  };
  const wanted = heard.option ?? (before.service_type === null ? proposal?.service_type : null);
  const option = family.options.find(({ id }) => id === wanted);
  if (option) {
    changes.option = { name: option.name, changed: before.service_type !== null };
    talk.service_type = option.id;
  }
  takeBack(heard, talk, changes);
  // What is said to the concierge alone is no answer, whatever a model makes of it.
  const proposals = heard.matters && !again ? (proposal?.answers ?? []).filter(({ answer }) => !isSkip(answer)) : [];
  for (const one of heard.answers) note(talk, changes, one);
  const plain = answerToAsked(family, talk, heard, proposals);
  if (asked !== null && plain !== null) {
    note(talk, changes, { label: asked, answer: plain });
    changes.answered = asked;
  }
  for (const one of [...heard.overheard, ...proposals])
    if (talk.answers[one.label] === undefined) note(talk, changes, one);
  const order = family.intake_requirements.map(({ label }) => label);
  changes.noted.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  leaveOpen(family, asked, heard, talk, changes);
  talk.deadline = heard.deadline ?? talk.deadline;
  for (const { id, name } of files)
    if (name !== null && talk.files.every((file) => file.id !== id)) talk.files.push({ id, name });
  const told = [...changes.noted, ...changes.corrected.map(({ label }) => label), ...changes.added];
  if (heard.matters || files.length > 0 || told.length > 0)
    talk.words.push({ text: message, about: plain !== null && plain === asAnswer(message) ? asked : null, told });
  return { talk, changes };
}
