import { answerQuestion, promise } from '../catalog/answer-question.ts';
import { type Catalog, type Family, offeredPlans } from '../catalog/catalog.ts';
import type { CallerKind } from '../http/request.ts';
import { capital, fill, sentence } from '../lib/words.ts';
import { type Answer, type Draft, optionOf, questionedIn, type Suggestion, suggestionsOf } from './draft.ts';
import type { Message } from './read-text.ts';
import sentences from './replies.json' with { type: 'json' };

/** A sentence of replies.json. */
export const say = (name: keyof typeof sentences, values: Record<string, string> = {}): string =>
  fill(sentences[name], values);

/** What the catalog answers to questions of the customer. */
export function answersTo(
  questions: string[],
  family: Family,
  draft: Draft,
  offer: Pick<Catalog, 'plans'>,
  asker: CallerKind,
): string[] {
  const option = optionOf(family, draft);
  const options = option ? [option] : family.options;
  const requirement = questionedIn(family, draft);
  return questions.flatMap(
    (question) => answerQuestion(options, requirement, offeredPlans(offer), asker, question) ?? [],
  );
}

export function greeting(family: Family, draft: Draft): string {
  const { name, description } = family;
  const option = optionOf(family, draft);
  if (!option) return `${say('greetFamily', { family: name, description })}\n\n${whichService(family)}`;
  const values = { service: option.name, description: option.description, promise: capital(promise(option)) };
  return `${say('greetService', values)}\n\n${say('tellUs')}`;
}

/**
 * The greeting, with which the reply to the first message begins. A customer who was greeted on opening reads
 * only what is new.
 */
export function hello(family: Family, before: Draft, draft: Draft): string[] {
  const greetings = before.version === 0 ? [say('hello')] : [];
  const option = optionOf(family, draft);
  if (!option || (greetings.length === 0 && before.service_type !== null)) return greetings;
  return [[...greetings, say('service', { service: option.name, promise: promise(option) })].join(' ')];
}

const numbered = (rows: string[]): string[] => rows.map((row, i) => `${i + 1}. ${row}`);
const whichService = ({ options }: Family): string =>
  [say('whichService'), ...numbered(options.map(({ name, description }) => `${name}: ${description}`))].join('\n');

export const noted = (answers: Answer[]): string[] =>
  answers.length === 0
    ? []
    : [[say('noted'), ...answers.map(({ requirement, answer }) => `${requirement}: ${sentence(answer)}`)].join(' ')];

export function suggested(suggestions: Suggestion[]): string[] {
  const { kit = [], text = [] } = Object.groupBy(suggestions, ({ by }) => (by === 'brand' ? 'kit' : 'text'));
  const block = (intro: string, some: Suggestion[]) =>
    some.length === 0
      ? []
      : [[intro, ...some.map(({ requirement, answer }) => `${requirement}: “${answer}”`)].join('\n')];
  return [...block(say(text.length === 1 ? 'suggestOne' : 'suggestMany'), text), ...block(say('suggestBrand'), kit)];
}

export function filesIn(files: Message['files']): string[] {
  const names = files.flatMap(({ name }) => name ?? []);
  const unknown = files.flatMap(({ id, name }) => (name === null ? [id] : []));
  return [
    ...(names.length > 0 ? [say('files', { names: names.join(', ') })] : []),
    ...(unknown.length > 0 ? [say('unknownFiles', { ids: unknown.join(', ') })] : []),
  ];
}

const longDay = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
export const sayWish = (day: string | null): string[] =>
  day ? [say('wished', { day: new Date(day).toLocaleDateString('en-GB', longDay) })] : [];

export const changing = (label: string, answer: string) => say('changes', { label, answer: sentence(answer) });

/** The question of the draft, or that the brief is ready. */
export function ask(family: Family, draft: Draft): string {
  const { question } = draft;
  if (question === null) return say('ready');
  if ('open' in question) return [say('stillOpen'), ...question.open.map((label) => `• ${label}`)].join('\n');
  const requirement = questionedIn(family, draft);
  if (requirement) return say('question', { question: requirement.question, example: sentence(requirement.example) });
  const service = 'service' in question ? question.service : null;
  const named = service && family.options.find(({ id }) => id === service.service_type);
  return named ? say('changeService', { service: named.name }) : whichService(family);
}

/** Messages for buttons. Any other text works too. */
export function suggestedReplies(family: Family, draft: Draft): { label: string; message: string }[] {
  const { question, service_type, opened } = draft;
  const offer = (...replies: string[]) => replies.map((reply) => ({ label: reply, message: reply }));
  const services = offer(...family.options.map(({ name }) => name));
  const { length } = suggestionsOf(family, draft);
  const accept =
    length === 0 ? [] : [{ label: length === 1 ? 'Accept' : `Accept all ${length}`, message: 'Accept all' }];
  if (!opened) return service_type === null ? services : [];
  if (question === null) return accept;
  if ('service' in question) return question.service === null ? services : offer('Yes', 'No');
  return [...accept, ...offer('open' in question ? 'Leave open' : 'You decide')];
}
