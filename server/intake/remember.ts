import type { Family } from '../catalog/catalog.ts';
import type { Heard, HeardAnswer } from './heard.ts';
import type { Proposal } from './proposal.ts';
import { asAnswer, type Talk } from './talk.ts';

/** A file that a message names; `name` is null where the account has no such file to give. */
export type NamedFile = { id: string; name: string | null };

export type Said = { message: string; files: NamedFile[]; proposal: Proposal | null };

/** What a turn changed. */
export type Changes = {
  option: { name: string; changed: boolean } | null;
  noted: string[];
  corrected: { label: string; answer: string }[];
  added: string[];
  deadline: string | null;
  leftOpen: string[];
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
  else changes.corrected.push({ label, answer });
  talk.answers[label] = adds && known !== undefined ? `${known}; ${answer}` : answer;
  talk.open = talk.open.filter((one) => one !== label);
  talk.guessed = talk.guessed.filter((one) => one !== label).concat(guessed ? [label] : []);
}

/** What nothing else accounts for answers what was asked; a bare "no" does where the catalog lets it stay open. */
function answerToAsked(family: Family, asked: string, heard: Heard, proposal: Proposal | null): string | null {
  if (heard.answers.some(({ label }) => label === asked)) return null;
  const proposed = proposal?.answers.find(({ label }) => label === asked)?.answer;
  const optional = family.intake_requirements.some(({ label, optional }) => label === asked && optional);
  const no = heard.smallTalk === 'no' && optional ? 'no' : null;
  return (
    proposed ?? asAnswer(heard.rest.join(' ').replace(/^(?:it(?:'s| is)|we(?:'re| are)) (?:called|named) /iu, '')) ?? no
  );
}

/** An optional requirement stays open at once; another is explained first, and stays open when that did not help. */
function leaveOpen(family: Family, asked: string | null, heard: Heard, talk: Talk, changes: Changes): void {
  const cannot = heard.skipped || heard.smallTalk === 'no';
  const labels = [...heard.leftOpen];
  if (cannot && asked !== null && talk.answers[asked] === undefined) {
    const optional = family.intake_requirements.some(({ label, optional }) => label === asked && optional);
    if (optional || talk.explained.includes(asked)) labels.push(asked);
    else {
      talk.explained.push(asked);
      changes.toExplain = asked;
    }
  }
  changes.leftOpen = labels.filter((label) => talk.answers[label] === undefined && !talk.open.includes(label));
  talk.open.push(...changes.leftOpen);
}

/** What is known after a message. Nothing that the customer wrote is dropped: it is an answer, or kept as it stands. */
export function remember(
  family: Family,
  before: Talk,
  heard: Heard,
  { message, files, proposal }: Said,
): { talk: Talk; changes: Changes } {
  const talk = structuredClone(before);
  const asked = before.asked && 'requirement' in before.asked ? before.asked.requirement : null;
  const changes: Changes = {
    option: null,
    noted: [],
    corrected: [],
    added: [],
    deadline: heard.deadline,
    leftOpen: [],
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
  for (const one of heard.answers) note(talk, changes, one);
  const plain = asked === null ? null : answerToAsked(family, asked, heard, proposal);
  if (asked !== null && plain !== null) {
    note(talk, changes, { label: asked, answer: plain });
    changes.answered = asked;
  }
  for (const one of [...heard.overheard, ...(proposal?.answers ?? [])])
    if (talk.answers[one.label] === undefined) note(talk, changes, one);
  leaveOpen(family, asked, heard, talk, changes);
  talk.deadline = heard.deadline ?? talk.deadline;
  for (const { id, name } of files)
    if (name !== null && talk.files.every((file) => file.id !== id)) talk.files.push({ id, name });
  if (heard.matters || files.length > 0)
    talk.words.push({ text: message, about: plain !== null && plain === asAnswer(message) ? asked : null });
  return { talk, changes };
}
