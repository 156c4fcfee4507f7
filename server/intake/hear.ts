import { bare } from '../requirements/answer.ts';
import type { Family } from '../catalog/catalog.ts';
import type { Labelled } from '../requirements/intent.ts';
import { isOpen } from '../requirements/open.ts';
import { prose } from '../requirements/prose.ts';
import { isPraise, smallTalkIn } from './assent.ts';
import { clausesOf } from './clauses.ts';
import { type Heard, nothingHeard } from './heard.ts';
import { behindLabel, isName, labelsIn } from './labelled-answer.ts';
import { isSkip, leftOpenBy } from './left-open.ts';
import { inOrder, pointsOf } from './listed.ts';
import { optionNamed } from './option.ts';
import { onlyNames, optionHeard, wantsChosen } from './option-heard.ts';
import { patternAt, takePatterns, wordsBefore } from './pattern-answers.ts';
import { dayIn, deadlineIn, isCount, isQuestion, type Said, withoutLead } from './phrases.ts';
import { requestIn, takenBackIn } from './requests.ts';
import { behindRestart } from './restart.ts';
import { sentencesOf, statementIn } from './sentences.ts';
import { type Topic, topicOf } from './service-question.ts';
import { asAnswer, askedOf, isReady, requirementAsked, restarted, type Talk } from './talk.ts';

/** Understands a message by the rules: what stands behind labels first, then the rest sentence by sentence. */
export function hear(family: Family, talk: Talk, message: string): Heard {
  const command = /^\s*\/([a-z]{3,20})\s*$/u.exec(message)?.[1];
  const commanded = command === undefined ? null : hear(family, talk, command);
  // "/help" is said to the concierge, "/pricing" is not.
  if (commanded && !commanded.matters) return commanded;
  const heard = nothingHeard();
  const again = behindRestart(family, talk, message);
  if (again !== null) {
    const further = hear(family, restarted(family, talk), again);
    return { ...further, requests: ['restart', ...further.requests] };
  }
  if (hearList(family, talk, message, heard)) return heard;
  if (askedOf(talk) !== null && isPraise(message)) return { ...heard, rest: [message], matters: true };
  const told = prose(message);
  const between = [];
  let at = 0;
  for (const one of labelsIn(family, told)) {
    between.push(told.text.slice(at, Math.max(at, one.start)));
    at = Math.max(at, one.end);
    hearLabelled(family, talk, one, told.text, heard);
  }
  const points = at === 0 && askedOf(talk) !== null ? pointsOf(message) : null;
  const texts = points ?? [...between, told.text.slice(at)];
  for (const sentence of texts.flatMap((text) => sentencesOf(family, text))) {
    // A point of a list is about the work, also "3. undo".
    const matters = points
      ? hearClauses(family, talk, withoutLead(sentence), heard)
      : hearSentence(family, talk, sentence, heard);
    heard.matters ||= matters;
  }
  // A list to a question may answer it as a whole, unless one of its points is about something else.
  if (points && heard.answers.length === 0 && heard.overheard.length === 0) heard.rest = [points.join('; ')];
  else heard.unsorted = points !== null && heard.rest.length > 0;
  return heard;
}

/** A reply point by point; false where the message is none. */
function hearList(family: Family, talk: Talk, message: string, heard: Heard): boolean {
  const points = inOrder(family, talk, message);
  for (const { label, text } of points ?? []) {
    const answer = isSkip(text) ? null : asAnswer(text);
    if (answer === null) heard.leftOpen.push(label);
    else heard.answers.push({ label, answer });
  }
  heard.matters = points !== null;
  return points !== null;
}

/** What stands behind a label, and the sentences that follow it. */
function hearLabelled(family: Family, talk: Talk, one: Labelled, text: string, heard: Heard): void {
  heard.matters = true;
  const { label } = one;
  const { leftOpen, answer, further } = behindLabel(family, talk, one, text);
  for (const sentence of further) hearSentence(family, talk, sentence, heard);
  if (leftOpen) heard.leftOpen.push(label);
  else if (answer) heard.answers.push({ label, answer });
}

/** One sentence; true when it holds something for the studio. */
function hearSentence(family: Family, talk: Talk, sentence: string, heard: Heard): boolean {
  const ready = isReady(family, talk);
  const spoken = withoutLead(sentence);
  const said = ready ? { ...spoken, core: behindAssent(spoken.core) } : spoken;
  const request =
    requestIn(sentence, ready) ?? (said.core === sentence ? null : requestIn(said.core, ready, said.corrects));
  if (request) {
    heard.requests.push(request);
    return request === 'complaint';
  }
  // "All fine except the name" means to change it.
  const takenBack =
    takenBackIn(family, talk, said.core) ??
    (said.core === spoken.core ? null : takenBackIn(family, talk, `change ${said.core}`));
  if (takenBack) {
    heard.takenBack.push(takenBack);
    return false;
  }
  const smallTalk =
    smallTalkIn(sentence, ready) ??
    (said.core === sentence ? null : smallTalkIn(said.core, ready)) ??
    (said.core === '' ? (ready && said.corrects ? 'no' : 'yes') : null);
  const topics = smallTalk === null ? questionsIn(family, talk, said.core) : [];
  if (topics.length > 0) {
    heard.topics.push(...topics);
    heard.askedOption = optionNamed(family, said.core)?.id ?? heard.askedOption;
    return topics.some((topic) => !forConcierge.has(topic));
  }
  const leftOpen = leftOpenBy(family, said.core);
  if (smallTalk) heard.smallTalk = smallTalk;
  else if (leftOpen) heard.leftOpen.push(leftOpen);
  else if (isSkip(said.core)) heard.skipped = true;
  else if (!onlyFiles(family, talk, said.core)) return hearClauses(family, talk, said, heard);
  return false;
}

/** What only the concierge can tell; the studio need not read that it was asked. */
const forConcierge = new Set<Topic>(['help', 'leave', 'ready', 'summary']);

/** What is asked about the service, also in two questions at once: "how long does it take and what does it cost?" */
function questionsIn(family: Family, talk: Talk, core: string): Topic[] {
  const answers = expectsQuestion(family, talk);
  const parts = core.split(/,? and (?=(?:what|how|when|who|which|can|could|do|does|is|are|will)\b)/iu);
  const each = parts.map((part) => topicOf(family, part, answers));
  return (each.includes(null) ? [topicOf(family, core, answers)] : each).filter((topic) => topic !== null);
}

/** "Looks good, but the tone is too dry": what follows an assent is what is meant. */
function behindAssent(core: string): string {
  const found = /^(.{2,40}?),? (?:but|except(?: for)?|only|just) (?:that )?(?=.)/iu.exec(core);
  return found && smallTalkIn(found[1]!, true) === 'yes' ? core.slice(found[0].length) : core;
}

/** A message that only names files says nothing besides, except where what was asked is answered with files. */
function onlyFiles(family: Family, talk: Talk, core: string): boolean {
  if (!core.startsWith('file_') || bare(core.replace(/\bfile_[0-9a-z]{26}\b/gu, '')) !== '') return false;
  return !/\battached\b/iu.test(requirementAsked(family, talk)?.example ?? '');
}

function hearClauses(family: Family, talk: Talk, said: Said, heard: Heard): boolean {
  const [first = '', ...others] = clausesOf(family, talk, said.core);
  if (others.length === 0) return hearContent(family, talk, said, heard);
  const matters = hearContent(family, talk, { ...said, sentence: first, core: first }, heard);
  const { length } = heard.rest;
  const further = others.map((part) => {
    const open = leftOpenBy(family, part);
    if (open === null) return hearContent(family, talk, withoutLead(part), heard);
    heard.leftOpen.push(open);
    return true;
  });
  // What is not understood there is about something else than what was asked.
  heard.rest.length = Math.min(heard.rest.length, length);
  return matters || further.includes(true);
}

/** A sentence that is about the work: what it states by name, the option, what patterns find, and the rest. */
function hearContent(family: Family, talk: Talk, { core: asSaid, ...said }: Said, heard: Heard): boolean {
  const asks = isQuestion(asSaid);
  const core = asks && !isOpen(asSaid) && !expectsQuestion(family, talk) ? asOrder(asSaid) : asSaid;
  const day = isAboutDays(askedOf(talk)) ? null : dayIn(core);
  const deadline = day ?? deadlineIn(core);
  heard.deadline = deadline ?? heard.deadline;
  // Right after it was chosen, the option may be named once more, and in part.
  const fresh = Object.keys(talk.answers).length === 0;
  if (day !== null || onlyNames(family, talk.service_type, core, fresh)) return day !== null;
  const stated = isQuestion(core) ? null : statementIn(family, core);
  const value = stated && asAnswer(stated.value);
  if (stated && value) {
    heard.answers.push({ label: stated.label, answer: value, adds: said.adds });
    return true;
  }
  const option = optionHeard(family, talk, { ...said, core });
  heard.option = option ?? heard.option;
  if (onlyNames(family, option, core, true)) return false;
  // "Four pages" is said of what is counted in pages, whatever was asked and was understood before.
  const counted = isCount(core) && !answersAsked(family, talk, core);
  // "Can you also make it round?" wishes for one thing more.
  const adds = said.adds || (core !== asSaid && !said.corrects);
  const about = takePatterns(family, talk, { ...said, core, adds, corrects: said.corrects || counted }, heard);
  for (const one of [...heard.answers, ...heard.overheard])
    if (one.guessed) one.answer = nameTold(one.label, one.answer);
  if (about || (option !== null && talk.service_type !== null)) return true;
  if (deadline !== null && wordsBefore(core, core.lastIndexOf(deadline)) <= 6) return true;
  if (wantsChosen(family, talk, core)) return true;
  if (asks && option === null && !expectsQuestion(family, talk) && !answersAsked(family, talk, core))
    heard.unknownQuestion = true;
  else heard.rest.push(heard.rest.length === 0 || asks ? core : said.sentence);
  return true;
}

/** "Could you write about bread?" as what it asks for: "write about bread". */
const asOrder = (sentence: string): string =>
  sentence
    .replace(/^(?:can|could|would|will) you (?:please |kindly |maybe |perhaps |also ){0,2}/iu, '')
    .replace(/\?$/u, '');

function answersAsked(family: Family, talk: Talk, core: string): boolean {
  const asked = requirementAsked(family, talk);
  return asked !== undefined && patternAt(asked, core) !== null;
}

const told =
  /\b(?:called|named) ["“„«]?(\p{Lu}[^,.;!?"”»]{0,60}?)["”»]?(?=,|[.;!?]|$| (?:in|on|at|for|from|since|that|which|who|is|are|and (?:we|i|our|it|they))\b)/u;

/** A name as it was told in the middle of a sentence: "We are opening a shop called Rise in May". */
const nameTold = (label: string, answer: string): string =>
  (isName(label) ? told.exec(answer)?.[1] : undefined) ?? answer;

/** Where a day may be the answer itself: a period, or a name such as "Friday". */
const isAboutDays = (asked: string | null): boolean => /\b(?:name|period|time|dates?|days?)\b/iu.test(asked ?? '');

/** Where the catalog's own example is a question, a question is an answer. */
const expectsQuestion = (family: Family, talk: Talk): boolean =>
  requirementAsked(family, talk)?.example.endsWith('?') ?? false;
