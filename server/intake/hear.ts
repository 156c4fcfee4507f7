import type { Family } from '../catalog/catalog.ts';
import { labelled } from '../catalog/intent.ts';
import { prose } from '../catalog/prose.ts';
import { type Heard, nothingHeard } from './heard.ts';
import { optionNamed } from './option.ts';
import { onlyNames, optionHeard, wantsChosen } from './option-heard.ts';
import { takePatterns, wordsBefore } from './pattern-answers.ts';
import { deadlineIn, isQuestion, isSkip, type Said, smallTalkIn, withoutLead } from './phrases.ts';
import { leftOpenIn, sentencesOf, statementIn } from './sentences.ts';
import { topicOf } from './service-question.ts';
import { asAnswer, isAsked, type Talk } from './talk.ts';

/** Understands a message by the rules: what stands behind labels first, then the rest sentence by sentence. */
export function hear(family: Family, talk: Talk, message: string): Heard {
  const heard = nothingHeard();
  const told = prose(message);
  const between = [];
  let at = 0;
  for (const { label, answer, start, end } of labelled(family, told)) {
    between.push(told.text.slice(at, Math.max(at, start)));
    at = Math.max(at, end);
    const said = asAnswer(answer);
    if (said) heard.answers.push({ label, answer: said });
    heard.matters = true;
  }
  for (const text of [...between, told.text.slice(at)])
    for (const sentence of sentencesOf(family, text))
      heard.matters = hearSentence(family, talk, sentence, heard) || heard.matters;
  return heard;
}

/** One sentence; true when it holds something for the studio. */
function hearSentence(family: Family, talk: Talk, sentence: string, heard: Heard): boolean {
  const said = withoutLead(sentence);
  const smallTalk = smallTalkIn(sentence) ?? smallTalkIn(said.core) ?? (said.core === '' ? 'yes' : null);
  const topic = smallTalk ? null : topicOf(family, said.core);
  if (topic) {
    heard.topics.push(topic);
    heard.askedOption = optionNamed(family, said.core)?.id ?? heard.askedOption;
    return true;
  }
  const leftOpen = leftOpenIn(family, said.core);
  if (smallTalk) heard.smallTalk = smallTalk;
  else if (isSkip(said.core)) heard.skipped = true;
  else if (leftOpen) heard.leftOpen.push(leftOpen);
  else return hearContent(family, talk, said, heard);
  return false;
}

/** A sentence that is about the work: what it states by name, the option, what patterns find, and the rest. */
function hearContent(family: Family, talk: Talk, said: Said, heard: Heard): boolean {
  const { core, adds } = said;
  const deadline = deadlineIn(core);
  heard.deadline = deadline ?? heard.deadline;
  if (onlyNames(family, talk.service_type, core)) return false;
  const stated = isQuestion(core) ? null : statementIn(family, core);
  const value = stated && asAnswer(stated.value);
  if (stated && value) {
    heard.answers.push({ label: stated.label, answer: value, adds });
    return true;
  }
  const option = optionHeard(family, talk, said);
  heard.option = option ?? heard.option;
  if (onlyNames(family, option, core)) return false;
  const about = takePatterns(family, talk, said, heard);
  if (about || (option !== null && talk.service_type !== null)) return true;
  if (deadline !== null && wordsBefore(core, core.lastIndexOf(deadline)) <= 6) return true;
  if (wantsChosen(family, talk, core)) return true;
  if (isQuestion(core) && option === null && !expectsQuestion(family, talk)) heard.unknownQuestion = true;
  else heard.rest.push(heard.rest.length === 0 ? core : said.sentence);
  return true;
}

/** Where the catalog's own example is a question, a question is an answer. */
const expectsQuestion = (family: Family, talk: Talk): boolean =>
  family.intake_requirements.some(({ label, example }) => isAsked(talk, label) && example.endsWith('?'));
