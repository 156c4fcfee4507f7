import type { Catalog, Family } from '../catalog/catalog.ts';
import { optionChosen, serviceNamed } from '../catalog/named-option.ts';
import { isForeign } from '../lib/language.ts';
import { splitQuestions, withoutSentences } from '../lib/sentences.ts';
import { findLabels } from '../requirements/find-suggestions.ts';
import { notAnAnswer, withoutNonAnswers } from '../requirements/is-answer.ts';
import {
  type Draft,
  familyOf,
  fieldOf,
  fieldsOf,
  nextQuestion,
  questionedIn,
  withService,
  withWords,
} from './draft.ts';
import { findWish, withWish } from './find-wish.ts';
import { isQuestionAbout, onlyFiles, readStatement, withReply } from './read-reply.ts';
import { type Message, readText, silent, type Step, withRest } from './read-text.ts';
import { answersTo, ask, filesIn, greeting, hello, noted, sayWish, say, suggested } from './reply.ts';

export type Exchange = { draft: Draft; reply: string; understood: { requirement: string; answer: string }[] };
type Offer = Pick<Catalog, 'families' | 'plans'>;

/** The reply to an opening without a message. */
export const greet = (family: Family, draft: Draft): Exchange => ({
  draft: { ...draft, version: 1 },
  reply: greeting(family, draft),
  understood: [],
});

/** The first message selects the service and yields suggestions; it answers no question. */
export function open(offer: Offer, draft: Draft, message: Message): Exchange {
  const { text, files } = message;
  const family = familyOf(offer, draft)!;
  const service_type = draft.service_type ?? optionChosen(family, text)?.id ?? null;
  const wish = findWish(text, message.now);
  const wished = withWish(draft, wish, message.now);
  const started = withFiles({ ...wished, service_type, foreign: isForeign(text, false), opened: true }, message);
  const worded = notAnAnswer(text, null) === 'greets' ? started : withRest(family, started, text);
  const read = readText(family, worded, message);
  const answers = answersTo(splitQuestions(text).questions, family, read, offer, message.asker);
  const greetings = [...hello(family, draft, read), ...(read.foreign ? [say('foreign')] : [])];
  const news = answers.filter((answer) => !greetings.join('\n').toLowerCase().includes(answer.toLowerCase()));
  const says = [...greetings, ...news, ...sayWish(wish && read.wanted_by), ...filesIn(files)];
  // The reply names what the brand kit suggests, too.
  return reply(family, { ...draft, fields: {} }, { draft: read, says });
}

/** The reply to a message. Deterministic, but for the year of a day; without I/O. */
export function converse(offer: Offer, earlier: Draft, message: Message): Exchange {
  if (!earlier.opened) return open(offer, earlier, message);
  const { text, files } = message;
  const draft = withFiles({ ...earlier, foreign: isForeign(text, earlier.foreign) }, message);
  const family = familyOf(offer, draft)!;
  const step =
    readService(offer, draft, message) ??
    proposedService(family, draft, text) ??
    readMessage(offer, family, draft, message);
  const foreign = draft.foreign && !earlier.foreign ? [say('foreign')] : [];
  return reply(familyOf(offer, step.draft)!, draft, { ...step, says: [...foreign, ...filesIn(files), ...step.says] });
}

/** Says what has changed, and asks the next question or says that the brief is ready. */
function reply(family: Family, before: Draft, { draft, says, question = null }: Step): Exchange {
  const changed = fieldsOf(family, draft).map((field) => ({ ...field, before: fieldOf(before, field.label) }));
  const answers = changed.flatMap(({ answer, before }) => (answer === before.answer ? [] : (answer ?? [])));
  const suggestions = changed.flatMap(({ suggestion, before }) =>
    suggestion === before.suggestion ? [] : (suggestion ?? []),
  );
  const label = questionedIn(family, before)?.label ?? null;
  const isReplied = label !== null && draft.fields[label] !== before.fields[label];
  const next: Draft = {
    ...draft,
    offered: suggestions.map(({ requirement }) => requirement),
    replied: isReplied ? label : draft.replied,
    // What was asked is asked again until it is answered, suggested or left to the studio.
    question: question ?? (isReplied || label === null ? null : draft.question) ?? nextQuestion(family, draft),
    version: draft.version + 1,
  };
  return {
    draft: next,
    reply: [...says, ...noted(answers), ...suggested(suggestions), ask(family, next)].join('\n\n'),
    understood: answers.map(({ requirement, answer }) => ({ requirement, answer })),
  };
}

function withFiles(draft: Draft, { files }: Message): Draft {
  const added = files.flatMap(({ id, name }) =>
    name === null || draft.files.some((file) => file.id === id) ? [] : [{ id, name }],
  );
  return added.length === 0 ? draft : { ...draft, files: [...draft.files, ...added] };
}

/** "What we actually need is the social media set": asks before it changes. */
function proposedService(family: Family, draft: Draft, text: string): Step | null {
  const service = draft.service_type === null ? null : serviceNamed(family, text, draft.service_type);
  return service && { ...silent(withWords(draft, text)), question: { service } };
}

/** Answers "Which service?" and "Shall I change the service?". */
function readService(offer: Offer, draft: Draft, message: Message): Step | null {
  const { question, service_type } = draft;
  const service = question && 'service' in question ? question.service : null;
  if (service === null && service_type !== null) return null;
  const family = familyOf(offer, service ?? draft)!;
  const { rest } = splitQuestions(message.text);
  const named = optionChosen(family, rest)?.id ?? null;
  if (service === null) {
    const chosen = named && withWords(withService(draft, family, named), message.text);
    return chosen ? silent(readText(family, chosen, message)) : null;
  }
  const reason = notAnAnswer(rest, null);
  if (reason === 'refuses') return { draft: { ...draft, question: null }, says: [say('unchanged')] };
  const agrees = reason === 'agrees' || named === service.service_type;
  return agrees ? silent(withService(draft, family, service.service_type)) : null;
}

/** Text behind labels counts, questions are answered, a day becomes the wish, and the rest is the reply. */
function readMessage(offer: Offer, family: Family, draft: Draft, message: Message): Step {
  const { text, files } = message;
  if (files.length > 0 && onlyFiles(text)) return silent(draft);
  const labelled = findLabels(family, draft.service_type, text).map(({ span }) => span);
  const { questions, rest } = splitQuestions(withoutSentences(text, labelled));
  const requirement = questionedIn(family, draft);
  if (requirement && isQuestionAbout(requirement, rest, text)) return silent(withReply(draft, requirement.label, text));
  const wish = findWish(rest, message.now);
  const wished = withWish(draft, wish, message.now);
  const answers = answersTo(questions, family, draft, offer, message.asker);
  const isPassedOn = answers.length < questions.length;
  const says = [...answers, ...(isPassedOn ? [say('passedOn')] : []), ...sayWish(wish && wished.wanted_by)];
  if (labelled.length > 0) return { draft: readText(family, withRest(family, wished, text), message), says };
  const statement = replyIn(withoutSentences(rest, wish?.sentences ?? []), text);
  // "A film would be great, how much?" tells the studio something, too.
  const isKept =
    isPassedOn || wish || (statement !== text.trim() && statement !== '') || questions.join().includes(',');
  const worded = isKept ? withWords(wished, text) : wished;
  if (statement === '') return { draft: worded, says };
  const step = readStatement(family, worded, requirement, { ...message, text: statement });
  return { ...step, says: [...says, ...step.says] };
}

/** What may be the answer. Cut out of "Rise Bakery. How long does it take?", it needs no full stop. */
function replyIn(rest: string, text: string): string {
  const reply = rest === '' ? '' : withoutNonAnswers(rest);
  return reply !== text.trim() && /^[^.!?]+\.$/u.test(reply) ? reply.slice(0, -1) : reply;
}
