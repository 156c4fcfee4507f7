import { at, type Path, type Value, valueOf, withTexts, withValue } from './yaml-edits.ts';

/** `families.yaml` as the form reads it. Wrong values are texts, so that they can be mended. */
export type Entry = { [key: string]: Value };
export type Question = { label: string; kind: string; optional: boolean; choices: string[]; entry: Entry };
export type Service = { id: string; name: string; retired: boolean; entry: Entry };
export type Family = Service & { services: Service[]; questions: Question[] };

export const textIn = (entry: Entry, key: string): string => {
  const value = entry[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
export const textsIn = (entry: Entry, key: string): string[] => {
  const value = entry[key];
  return Array.isArray(value) ? value.map((item) => (typeof item === 'object' ? '' : String(item))) : [];
};

const entriesIn = (content: Value | undefined): Entry[] | null =>
  Array.isArray(content) && content.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
    ? (content as Entry[])
    : null;

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
  question: 'label question hint kind choices example brand also_called only_for not_for optional'.split(' '),
};

/** Writes one field; undefined removes it. A list keeps the comments of what stays. */
export function put(text: string, path: Path, value: Value | undefined): string | null {
  const kind = path[2] === 'options' ? 'service' : path[2] === 'intake_requirements' ? 'question' : 'family';
  const texts = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : null;
  return texts ? withTexts(text, path, texts, orders[kind]) : withValue(text, path, value, orders[kind]);
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
  const id = plain || 'service';
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? id : `${id}_${count}`;
    if (!ids.includes(next)) return next;
  }
}
