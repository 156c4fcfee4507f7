import type { Catalog, Family } from '../catalog/catalog.ts';
import { optionChosen, serviceNamed } from '../catalog/named-option.ts';
import { isForeign } from '../lib/language.ts';
import { splitQuestions } from '../lib/sentences.ts';
import { notAnAnswer } from '../requirements/is-answer.ts';
import { asReplied, type Draft, familyOf, fieldOf, fieldsOf, openIn, withService, withWords } from './draft.ts';
import { readReply } from './read-reply.ts';
import { type Message, readLabels, readList, readText, silent, type Step, withRest } from './read-text.ts';
import { answersTo, ask, filesIn, greeting, hello, noted, say, suggested } from './reply.ts';

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
  const started = withFiles({ ...draft, service_type, foreign: isForeign(text, false), opened: true }, message);
  const worded = notAnAnswer(text, null) === 'greets' ? started : withRest(family, started, text);
  const read = readText(family, worded, message);
  const answers = answersTo(splitQuestions(text).questions, family, read, offer);
  const greetings = [...hello(family, draft, read), ...(read.foreign ? [say('foreign')] : [])];
  const news = answers.filter((answer) => !greetings.join('\n').toLowerCase().includes(answer.toLowerCase()));
  // The reply names what the brand kit suggests, too.
  return reply(family, { ...draft, fields: {} }, { draft: read, says: [...greetings, ...news, ...filesIn(files)] });
}

/** The reply to a message. Deterministic, without clock or I/O. */
export function converse(offer: Offer, earlier: Draft, message: Message): Exchange {
  if (!earlier.opened) return open(offer, earlier, message);
  const { text, files } = message;
  const draft = withFiles({ ...earlier, foreign: isForeign(text, earlier.foreign) }, message);
  const family = familyOf(offer, draft)!;
  const step =
    readService(offer, draft, message) ??
    readLabels(family, draft, message) ??
    readList(family, draft, message) ??
    proposedService(family, draft, text) ??
    readReply(offer, family, draft, message);
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
  const offered = suggestions.map(({ requirement }) => requirement);
  const next = asReplied(family, before, { ...draft, offered }, question);
  const rested = openIn(family, next).filter((label) => !fieldOf(draft, label).open);
  const left = rested.map((label) => say('left', { label }));
  return {
    draft: next,
    reply: [...says, ...left, ...noted(answers), ...suggested(suggestions), ask(family, next)].join('\n\n'),
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
  if (reason === 'refuses') return { draft, says: [say('unchanged')] };
  const agrees = reason === 'agrees' || named === service.service_type;
  return agrees ? silent(withService(draft, family, service.service_type)) : null;
}
