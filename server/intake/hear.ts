import type { Family, Requirement } from '../catalog/catalog.ts';
import { bare, isOpen } from '../catalog/answer.ts';
import { labelled } from '../catalog/intent.ts';
import { prose } from '../catalog/prose.ts';
import { optionChosen, optionIn } from './option.ts';
import { deadlineIn, isQuestion, isSkip, type SmallTalk, smallTalkIn, withoutLead } from './phrases.ts';
import { leftOpenIn, sentencesOf, statementIn } from './sentences.ts';
import { type Topic, topicOf } from './service-question.ts';
import { asAnswer, type Talk } from './talk.ts';

/** An answer that was heard. `adds`: to what was answered before. */
export type HeardAnswer = { label: string; answer: string; adds: boolean };

/** What a message says, before it changes anything. */
export type Heard = {
  option: string | null;
  answers: HeardAnswer[];
  /** Found inside of sentences that are about something else. */
  overheard: HeardAnswer[];
  deadline: string | null;
  /** What was asked cannot be answered. */
  skipped: boolean;
  leftOpen: string[];
  topics: Topic[];
  /** The option that a question names. */
  askedOption: string | null;
  /** A question that the catalog does not answer. */
  unknownQuestion: boolean;
  smallTalk: SmallTalk | null;
  /** What nothing above accounts for: the answer to what was asked, if something was. */
  rest: string[];
  /** Whether there is anything in it for the studio. */
  matters: boolean;
};

const nothingYet = (): Heard => ({
  option: null,
  answers: [],
  overheard: [],
  deadline: null,
  skipped: false,
  leftOpen: [],
  topics: [],
  askedOption: null,
  unknownQuestion: false,
  smallTalk: null,
  rest: [],
  matters: false,
});

/** Where in a sentence the catalog's patterns find an answer, if the sentence neither asks nor puts off. */
function patternAt(requirement: Requirement, sentence: string): number | null {
  if (!requirement.answered_by || isOpen(sentence)) return null;
  requirement.answered_by.lastIndex = 0;
  return requirement.answered_by.exec(prose(sentence).lower)?.index ?? null;
}

const wordsBefore = (sentence: string, index: number) => sentence.slice(0, index).split(' ').filter(Boolean).length;

/** The clause around a match: "…for our app, aimed at students" answers with "aimed at students". */
function clauseFrom(sentence: string, index: number): string {
  const before = sentence.slice(0, index);
  const preposition = /\b(?:in|on|at|for|with|of|to|by|from) (?:an? |the |our )?$/iu.exec(before);
  if (preposition && wordsBefore(sentence.slice(index), Infinity) <= 6) return sentence.slice(preposition.index);
  const cut = Math.max(...[', ', ': ', '; '].map((mark) => before.lastIndexOf(mark)));
  return sentence.slice(cut < 0 ? 0 : cut + 2);
}

const framing =
  /^(?:make (?:it|that|them|this)|let's (?:say|make it)|i(?:'d| would) say|it(?:'s| is| should be| must be)|that(?:'s| is| would be| should be)|they(?:'re| are)) /iu;

/** "an option", "to an option" or little else: not "the logo is blue" in a talk about a landing page. */
const wantsOption = (core: string): boolean =>
  core.split(' ').length <= 4 ? !/\b(?:is|are|should|must|on|in)\b/iu.test(core) : /\b(?:an?|to|into|want|need|take|order) /iu.test(core);

const isAbout = (talk: Talk, label: string): boolean =>
  talk.asked !== null && 'requirement' in talk.asked && talk.asked.requirement === label;

/** Where the catalog's own example is a question, a question is an answer. */
const expectsQuestion = (family: Family, talk: Talk): boolean =>
  family.intake_requirements.some(({ label, example }) => isAbout(talk, label) && example.endsWith('?'));

/** The name of the option that was chosen already, and nothing else. */
const namesOption = (family: Family, talk: Talk, core: string): boolean =>
  family.options.some(
    ({ id, name }) => id === talk.service_type && [id.replaceAll('_', ' '), name.toLowerCase()].includes(bare(core).toLowerCase()),
  );

/** The option that a sentence asks for. Once there is one, another is meant only where the customer corrects. */
function optionHeard(family: Family, talk: Talk, core: string, changes: boolean): string | null {
  if (talk.service_type === null)
    return (talk.asked && 'option' in talk.asked ? optionChosen(family, core) : optionIn(family, core))?.id ?? null;
  if (!changes || !wantsOption(core)) return null;
  const option = optionIn(family, core);
  return option && option.id !== talk.service_type ? option.id : null;
}

/** Answers that the catalog's patterns find; true when the sentence begins with one, and is about that. */
function hearPatterns(family: Family, talk: Talk, core: string, heard: Heard, corrects: boolean, adds: boolean): boolean {
  let about = false;
  for (const requirement of family.intake_requirements) {
    const { label } = requirement;
    const index = isAbout(talk, label) && !corrects ? null : patternAt(requirement, core);
    if (index === null) continue;
    const known = talk.answers[label] !== undefined;
    const early = wordsBefore(core, index) <= 3;
    if (known && !(early && (corrects || adds || talk.asked === null))) continue;
    const answer = asAnswer(early ? core.replace(corrects ? framing : '', '') : clauseFrom(core, index));
    if (answer === null) continue;
    (early ? heard.answers : heard.overheard).push({ label, answer, adds: adds && known });
    about ||= early;
  }
  return about;
}

/** One sentence; true when it holds something for the studio. */
function hearSentence(family: Family, talk: Talk, sentence: string, heard: Heard): boolean {
  const { core, corrects, adds } = withoutLead(sentence);
  const small = smallTalkIn(sentence) ?? (core === '' ? (smallTalkIn(core) ?? 'yes') : null);
  if (small) {
    heard.smallTalk = small;
    return false;
  }
  const topic = topicOf(family, core);
  if (topic) {
    heard.topics.push(topic);
    heard.askedOption = optionIn(family, core)?.id ?? heard.askedOption;
    return true;
  }
  if (isSkip(core)) {
    heard.skipped = true;
    return false;
  }
  const open = leftOpenIn(family, core);
  if (open) {
    heard.leftOpen.push(open);
    return false;
  }
  const deadline = deadlineIn(core);
  heard.deadline = deadline ?? heard.deadline;
  const stated = isQuestion(core) ? null : statementIn(family, core);
  const value = stated && asAnswer(stated.value);
  if (namesOption(family, talk, core)) return false;
  if (stated && value) {
    heard.answers.push({ label: stated.label, answer: value, adds });
    return true;
  }
  const option = optionHeard(family, talk, core, corrects || /\b(?:change|switch|rather|changed my mind|make it)\b/iu.test(core));
  heard.option = option ?? heard.option;
  const about = hearPatterns(family, talk, core, heard, corrects, adds);
  if (about || (option !== null && talk.service_type !== null)) return true;
  if (deadline !== null && wordsBefore(core, core.toLowerCase().indexOf(deadline.toLowerCase())) <= 6) return true;
  if (isQuestion(core) && option === null && !expectsQuestion(family, talk)) heard.unknownQuestion = true;
  else heard.rest.push(core);
  return true;
}

/** Understands a message by the rules: labels first, then sentence by sentence. */
export function hear(family: Family, talk: Talk, message: string): Heard {
  const heard = nothingYet();
  const told = prose(message);
  let at = 0;
  const between = [];
  for (const { label, answer, start, end } of labelled(family, told)) {
    between.push(told.text.slice(at, Math.max(at, start)));
    at = Math.max(at, end);
    const said = asAnswer(answer);
    if (said) heard.answers.push({ label, answer: said, adds: false });
    heard.matters = true;
  }
  between.push(told.text.slice(at));
  for (const text of between)
    for (const sentence of sentencesOf(family, text))
      heard.matters = hearSentence(family, talk, sentence, heard) || heard.matters;
  return heard;
}
