import type { ServiceInUse } from '../../app/api.ts';
import { type Entry, type Family, isAskedFor, put, type Question, type Service } from './families.ts';
import { at, type Item, type Path, type Value, valueOf, withItems } from './yaml-edits.ts';

/** One change of `families.yaml` in words. */
export type Change = {
  /** The name of the family or service, and its id: `family` or `family/option`. */
  of: string;
  id: string;
  words: string;
  was?: string;
  now?: string;
  concerns: 'jobs' | 'drafts' | 'both' | null;
  /** The text without this change; null if it cannot be undone alone. */
  undo: (text: string) => string | null;
};

type Field = { words: string; unit?: string; concerns?: Change['concerns'] };

const serviceFields: Record<string, Field> = {
  name: { words: 'Name' },
  description: { words: 'Description' },
  example_words: { words: 'What a customer might write' },
  turnaround_hours: { words: 'Turnaround', unit: ' hours', concerns: 'jobs' },
  revision_rounds: { words: 'Rounds of changes', unit: '', concerns: 'jobs' },
  revision_hours: { words: 'Hours of a round', unit: '', concerns: 'jobs' },
  checklist: { words: 'Checklist' },
  auto_approval_hours: { words: "The customer's review", unit: ' hours', concerns: 'jobs' },
  quality_signals: { words: 'What the studio checks' },
};

const kinds: Record<string, string> = {
  name: 'a name',
  text: 'a text',
  url: 'a link',
  date: 'a date',
  files: 'files',
};
export const kindWords = ({ kind, choices }: Question): string =>
  kind === 'choice' ? `a choice of ${choices.length}` : (kinds[kind] ?? kind);

export const reviewOf = ({ quality_review: review, reviewer }: Entry): 'none' | 'any' | 'other' =>
  review === false ? 'none' : reviewer === 'other' ? 'other' : 'any';
export const reviewWords = { none: 'No review', any: 'A review first', other: 'A colleague first' };

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const listed = new Intl.ListFormat('en');

/** What is different, family by family, in the order of the text. */
export function changesBetween(before: Family[], now: Family[]): Change[] {
  const changes = now.flatMap((family, index) => {
    const old = before.find(({ id }) => id === family.id);
    const path: Path = ['families', index];
    return old ? familyChanges(old, family, path) : [added(family, family.id, 'New family', ['families'], index)];
  });
  const gone = before.filter(({ id }) => now.every((family) => family.id !== id));
  return [
    ...changes,
    ...gone.map((family) => removed(family, family.id, 'Family removed', ['families'], before.indexOf(family))),
  ];
}

function familyChanges(old: Family, now: Family, path: Path): Change[] {
  const { id } = now;
  const services = now.services.flatMap((service, index) => {
    const was = old.services.find((other) => other.id === service.id);
    const of = `${id}/${service.id}`;
    return was
      ? entryChanges(was, service, of, [...path, 'options', index])
      : [added(service, of, 'New service', [...path, 'options'], index)];
  });
  const gone = old.services.filter((service) => now.services.every((other) => other.id !== service.id));
  return [
    ...entryChanges(old, now, id, path),
    ...services,
    ...gone.map((service) =>
      removed(service, `${id}/${service.id}`, 'Service removed', [...path, 'options'], old.services.indexOf(service)),
    ),
    ...orderChange(old, now, id, path),
    ...questionChanges(old, now, path),
  ];
}

const parts = ['options', 'intake_requirements', 'quality_review', 'reviewer', 'retired'];

function entryChanges(old: Service, now: Service, id: string, path: Path): Change[] {
  const of = now.name || now.id;
  const back = (...keys: string[]) => undoing(old.entry, path, keys);
  const keys = [...new Set([...Object.keys(old.entry), ...Object.keys(now.entry)])].filter(
    (key) => !parts.includes(key) && !same(old.entry[key], now.entry[key]),
  );
  const changes = keys.map((key): Change => {
    const { words, unit, concerns = null } = serviceFields[key] ?? { words: key.replaceAll('_', ' ') };
    const [was, next] = [old.entry[key], now.entry[key]].map((value) =>
      value === undefined ? 'none' : typeof value === 'object' ? '' : String(value),
    );
    const figures = unit === undefined ? {} : { was: was ?? '', now: `${next}${unit}` };
    const plain = key === 'name' ? `Name is now “${next}”` : `${words} changed`;
    return { of, id, words: unit === undefined ? plain : words, ...figures, concerns, undo: back(key) };
  });
  const [was, next] = [reviewOf(old.entry), reviewOf(now.entry)];
  if (was !== next) {
    const words = { words: 'Review', was: reviewWords[was], now: reviewWords[next] };
    changes.push({ of, id, ...words, concerns: 'jobs', undo: back('quality_review', 'reviewer') });
  }
  if (old.retired !== now.retired) {
    const words = now.retired ? 'No longer offered' : 'Offered again';
    changes.push({ of, id, words, concerns: now.retired ? 'both' : null, undo: back('retired') });
  }
  return changes;
}

const undoing =
  (old: Entry, path: Path, keys: string[]): Change['undo'] =>
  (text) =>
    keys.reduce<string | null>((now, key) => now && put(now, [...path, key], old[key]), text);

function orderChange(old: Family, now: Family, id: string, path: Path): Change[] {
  const both = (list: Service[], other: Service[]) => list.filter((a) => other.some((b) => a.id === b.id));
  const ids = (services: Service[]) => services.map((service) => service.id);
  const before = ids(both(old.services, now.services));
  if (same(before, ids(both(now.services, old.services)))) return [];
  const rest = ids(now.services).filter((service) => !before.includes(service));
  const order = [...before, ...rest].map((service) => ids(now.services).indexOf(service));
  const undo: Change['undo'] = (text) => withItems(text, [...path, 'options'], order);
  return [{ of: now.name, id, words: 'Services stand in another order', concerns: null, undo }];
}

const steps = (length: number): Item[] => Array.from({ length }, (_, index) => index);

/** With one more item, at this place or at the end. */
export function withItem(text: string, list: Path, index: number, value: Value): string | null {
  const before = steps(lengthOf(text, list));
  return withItems(text, list, before.toSpliced(index, 0, { value }));
}

function added(service: Service, id: string, words: string, list: Path, index: number): Change {
  const undo: Change['undo'] = (text) => without(text, list, index);
  return { of: service.name || service.id, id, words, concerns: null, undo };
}

function removed(service: Service, id: string, words: string, list: Path, index: number): Change {
  const undo: Change['undo'] = (text) => withItem(text, list, index, service.entry);
  return { of: service.name || service.id, id, words, concerns: 'both', undo };
}

function lengthOf(text: string, list: Path): number {
  const items = at(valueOf(text), list);
  return Array.isArray(items) ? items.length : 0;
}

export const without = (text: string, list: Path, index: number): string | null =>
  withItems(text, list, steps(lengthOf(text, list)).toSpliced(index, 1));

const wordFields = ['question', 'hint', 'example', 'also_called'];
const placeFields = ['only_for', 'not_for'];

function questionChanges(old: Family, now: Family, path: Path): Change[] {
  const list = [...path, 'intake_requirements'];
  const pairs = now.questions.map((question, index) => ({ question, index, was: sameQuestion(old, now, index) }));
  const of = now.name || now.id;
  const common = { of, id: now.id, concerns: 'drafts' as const };
  const changes = pairs.flatMap(({ question, index, was }): Change[] =>
    was
      ? oneQuestion(now, was, index).map(({ words, keys }) => ({
          ...common,
          words,
          undo: undoing(was.entry, [...list, index], keys),
        }))
      : [{ ...common, words: `“${question.label}” is asked, too`, undo: (text) => without(text, list, index) }],
  );
  const matches = pairs.flatMap(({ was }) => was ?? []);
  const gone = old.questions.filter((question) => !matches.includes(question));
  for (const question of gone) {
    const undo: Change['undo'] = (text) => withItem(text, list, old.questions.indexOf(question), question.entry);
    changes.push({ ...common, words: `“${question.label}” is no longer asked`, undo });
  }
  const order = old.questions.filter((question) => matches.includes(question));
  if (!same(order, matches)) {
    const back = order.map((question) => pairs.findIndex(({ was }) => was === question));
    const rest = pairs.filter(({ was }) => !was).map(({ index }) => index);
    const undo: Change['undo'] = (text) => withItems(text, list, [...back, ...rest]);
    changes.push({ ...common, words: 'Questions are asked in another order', undo });
  }
  return changes;
}

/** By its label, else by its place. */
function sameQuestion(old: Family, now: Family, index: number): Question | undefined {
  const label = now.questions[index]?.label;
  const byLabel = old.questions.find((question) => question.label === label);
  if (byLabel) return byLabel;
  const byPlace = old.questions[index];
  const isFree =
    old.questions.length === now.questions.length &&
    now.questions.every(({ label: other }) => other !== byPlace?.label);
  return isFree ? byPlace : undefined;
}

function oneQuestion(now: Family, was: Question, index: number) {
  const question = now.questions[index];
  if (!question) return [];
  const differs = (...keys: string[]) => keys.some((key) => !same(was.entry[key], question.entry[key]));
  const name = `“${question.label}”`;
  const changes: { words: string; keys: string[] }[] = [];
  if (differs('label')) changes.push({ words: `“${was.label}” is now ${name}`, keys: ['label'] });
  if (differs('kind')) changes.push({ words: `${name} is now ${kindWords(question)}`, keys: ['kind', 'choices'] });
  else if (differs('choices')) changes.push({ words: `${name} has other choices`, keys: ['choices'] });
  if (was.optional !== question.optional)
    changes.push({ words: `${name} is now ${question.optional ? 'optional' : 'required'}`, keys: ['optional'] });
  if (differs('brand')) changes.push({ words: `${name} has another fact of the brand kit`, keys: ['brand'] });
  if (differs(...wordFields)) changes.push({ words: `${name} is asked in other words`, keys: wordFields });
  if (differs(...placeFields)) {
    const names = now.services.filter(({ id }) => isAskedFor(question, id)).map((service) => service.name);
    changes.push({ words: `${name} is asked for ${listed.format(names)}`, keys: placeFields });
  }
  return changes;
}

const count = (number: number, thing: string) => `${number} open ${thing}${number === 1 ? '' : 's'}`;

/** "2 open jobs keep 72. 4 open drafts are told." */
export function sayConcerned({ id, concerns, was, words }: Change, services: readonly ServiceInUse[]): string {
  const isFamily = !id.includes('/');
  const mine = services.filter(({ service_family: family, service_type: type }) =>
    isFamily ? family === id : `${family}/${type}` === id,
  );
  const sum = (key: 'open_jobs' | 'open_drafts') => mine.reduce((all, row) => all + row[key], 0);
  const [jobs, drafts] = [sum('open_jobs'), sum('open_drafts')];
  const keep = words === 'No longer offered' ? (jobs === 1 ? 'goes on' : 'go on') : jobs === 1 ? 'keeps' : 'keep';
  const what = keep.startsWith('go') ? '' : was === undefined ? ' what was promised' : ` ${was}`;
  return [
    concerns !== null && concerns !== 'drafts' && jobs > 0 ? `${count(jobs, 'job')} ${keep}${what}` : '',
    concerns !== null && concerns !== 'jobs' && drafts > 0
      ? `${count(drafts, 'draft')} ${drafts === 1 ? 'is' : 'are'} told`
      : '',
  ]
    .filter(Boolean)
    .join('. ');
}
