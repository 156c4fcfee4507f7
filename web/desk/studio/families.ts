import { at, type Path, valueOf, withValue } from '../../../contract/studio/yaml-edits.ts';
import { without, withTexts } from '../../../contract/studio/yaml-lists.ts';
import { type Entry, isEntry, type Value } from '../../../contract/studio/yaml-written.ts';

/** `families.yaml` as the form reads it. Wrong values are texts, so that they can be mended. */
export type Question = { label: string; kind: string; optional: boolean; choices: string[]; entry: Entry };
export type Service = { id: string; name: string; retired: boolean; entry: Entry };
export type Family = Service & { services: Service[]; questions: Question[] };

/** One change of the catalog in words. */
export type Change = {
  /** The name of the family or service, and its id: `family` or `family/option`. */
  of: string;
  id: string;
  words: string;
  was?: string;
  now?: string;
  concerns: 'jobs' | 'drafts' | 'both' | null;
  /** The services that a question is asked for, before or now; absent if those are all. */
  askedFor?: string[] | undefined;
  /** A new family or service, whose pictures go with it. */
  isNew?: true;
  /** The text without this change; null if it cannot be undone alone. */
  undo: (text: string) => string | null;
};

/** How an item of a list of the family was written. */
export type Written = (list: 'options' | 'intake_requirements', index: number) => string | undefined;

export const textIn = (entry: Entry, key: string): string => {
  const value = entry[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
export const textsIn = (entry: Entry, key: string): string[] => {
  const value = entry[key];
  return Array.isArray(value) ? value.map((item) => (typeof item === 'object' ? '' : String(item))) : [];
};

/** What holds where a figure is missing. */
const defaults: Record<string, string> = { revision_rounds: '2', revision_hours: 'any' };
export const figureIn = (entry: Entry, key: string): string => textIn(entry, key) || (defaults[key] ?? 'none');

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export const entriesIn = (content: Value | undefined): Entry[] | null =>
  Array.isArray(content) && content.every(isEntry) ? content : null;

const asService = (entry: Entry): Service => ({
  id: textIn(entry, 'id'),
  name: textIn(entry, 'name'),
  retired: entry.retired === true,
  entry,
});

const asQuestion = (entry: Entry): Question => ({
  label: textIn(entry, 'label'),
  kind: textIn(entry, 'kind') || 'text',
  optional: entry.optional === true,
  choices: textsIn(entry, 'choices'),
  entry,
});

/** Null if the text has another shape, which only the text can mend. */
export function familiesIn(text: string): Family[] | null {
  const families = entriesIn(at(valueOf(text), ['families']));
  const read = families?.map((entry) => {
    const [services, questions] = [entriesIn(entry.options), entriesIn(entry.intake_requirements)];
    return services && questions
      ? { ...asService(entry), services: services.map(asService), questions: questions.map(asQuestion) }
      : null;
  });
  return read?.every((family) => family !== null) ? read : null;
}

export const placeFields = ['only_for', 'not_for'];

export const isAskedFor = ({ entry }: Question, service: string): boolean =>
  (!Array.isArray(entry.only_for) || textsIn(entry, 'only_for').includes(service)) &&
  !textsIn(entry, 'not_for').includes(service);

/** Keys in the order in which new ones are written. */
const orders = {
  family: ['id', 'name', 'description', 'retired', 'options', 'intake_requirements', 'quality_signals'],
  service:
    'id name description example_words retired turnaround_hours quality_review reviewer revision_rounds revision_hours auto_approval_hours checklist'.split(
      ' ',
    ),
  type: ['media_type', 'extensions', 'aliases', 'starts_with'],
  question: 'label question hint kind choices example brand also_called only_for not_for optional'.split(' '),
};

const kinds: Record<string, 'service' | 'question'> = { options: 'service', intake_requirements: 'question' };

/** Writes one field; undefined removes it. A list keeps the comments of what stays. */
export function put(text: string, path: Path, value: Value | undefined): string | null {
  const [list, , part] = path;
  const kind = list === 'file_types' ? 'type' : (kinds[part ?? ''] ?? 'family');
  const texts = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
  return texts ? withTexts(text, path, texts, orders[kind]) : withValue(text, path, value, orders[kind]);
}

/** Where each item of a list was: by its name, else by its place; -1 if it is new. */
export const placesBefore = (before: string[], now: string[]): number[] =>
  now.map((name, index) => {
    const byName = now.indexOf(name) === index ? before.indexOf(name) : -1;
    const isFree = before.length === now.length && !now.includes(before[index] ?? '');
    return byName === -1 && isFree ? index : byName;
  });

/** The order of a list with its earlier items as they were and new ones last; null if they stand so. */
export function orderBefore(places: number[]): number[] | null {
  const stay = places.flatMap((place, index) => (place === -1 ? [] : index));
  const order = stay.toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  return same(stay, order) ? null : [...order, ...places.flatMap((place, index) => (place === -1 ? index : []))];
}

/** Gives fields the values that they had. */
export const undoing =
  (old: Entry, path: Path, keys: string[]): ((text: string) => string | null) =>
  (text) =>
    keys.reduce<string | null>((now, key) => now && put(now, [...path, key], old[key]), text);

/** What `family` or `family/option` names. */
function placeIn(text: string, id: string) {
  const [familyId, serviceId] = id.split('/');
  const families = familiesIn(text) ?? [];
  const at = families.findIndex((family) => family.id === familyId);
  const { services = [], questions = [], retired = false } = families[at] ?? {};
  return { path: ['families', at] as Path, services, questions, retired, serviceId };
}

/**
 * Without a family, or a service (`family/option`), the questions that are asked for no other service, and
 * its id in those that are. A family goes with its last service.
 */
export function withoutService(text: string, id: string): string | null {
  const { path, services, questions, serviceId } = placeIn(text, id);
  const others = services.filter((service) => service.id !== serviceId);
  if (!serviceId || others.length === 0) return without(text, ['families'], Number(path[1]));
  const index = services.findIndex((service) => service.id === serviceId);
  return questions.reduceRight<string | null>(
    (now, question, number) => {
      const place = [...path, 'intake_requirements', number];
      const isOwn = isAskedFor(question, serviceId) && !others.some((other) => isAskedFor(question, other.id));
      const shorter = isOwn && now ? without(now, place.slice(0, -1), number) : null;
      if (shorter) return shorter;
      return placeFields.reduce((next, key) => {
        const named = textsIn(question.entry, key);
        const rest = named.filter((other) => other !== serviceId);
        return next && rest.length < named.length ? put(next, [...place, key], rest) : next;
      }, now);
    },
    without(text, [...path, 'options'], index),
  );
}

/**
 * Retires a service, or offers it again. A family is retired with its last service. When one service of a
 * retired family is offered again, the others are retired by themselves.
 */
export function withRetired(text: string, id: string, retired: boolean): string | null {
  const { path, services, serviceId, retired: wasRetired } = placeIn(text, id);
  const retirements = services.map((service) => (service.id === serviceId ? retired : service.retired || wasRetired));
  const all = services.reduce<string | null>(
    (now, service, index) =>
      now !== null && service.retired !== retirements[index]
        ? put(now, [...path, 'options', index, 'retired'], retirements[index] || undefined)
        : now,
    text,
  );
  return all && put(all, [...path, 'retired'], retirements.every(Boolean) || undefined);
}

/** An id that no other has, from a name. */
export function idFrom(name: string, ids: readonly string[]): string {
  const plain = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 44);
  return free(plain || 'service', '_', ids);
}

/** This name, or the first with a number that is not among the names. */
export function free(name: string, between: string, names: readonly string[]): string {
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? name : `${name}${between}${count}`;
    if (!names.includes(next)) return next;
  }
}
