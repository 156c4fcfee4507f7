import type { ServiceInUse } from '../../app/api.ts';
import { counted } from '../../ui/job/words.ts';
import {
  type Change,
  type Family,
  figureIn,
  orderBefore,
  same,
  type Service,
  undoing,
  withoutService,
  type Written,
} from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';
import { questionChanges } from './question-words.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import { sourceAt, withItem, withItems } from '../../../contract/studio/yaml-lists.ts';

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

export const reviewOf = ({ quality_review: review, reviewer }: Entry): 'none' | 'any' | 'other' =>
  review === false ? 'none' : reviewer === 'other' ? 'other' : 'any';
export const reviewWords = { none: 'No review', any: 'A review first', other: 'A colleague first' };

/** What is different, family by family, in the order of the text. `published`: the text before. */
export function changesBetween(before: Family[], now: Family[], published: string): Change[] {
  const changes = now.flatMap((family, index) => {
    const at = before.findIndex(({ id }) => id === family.id);
    const old = before[at];
    const path: Path = ['families', index];
    const written: Written = (list, item) => sourceAt(published, ['families', at, list], item);
    return old ? familyChanges(old, family, path, written) : [added(family, family.id, 'New family')];
  });
  const gone = before.filter(({ id }) => now.every((family) => family.id !== id));
  return [
    ...changes,
    ...gone.map((family) => {
      const index = before.indexOf(family);
      const source = sourceAt(published, ['families'], index);
      return removed(family, family.id, 'Family removed', ['families'], index, source);
    }),
  ];
}

function familyChanges(old: Family, now: Family, path: Path, written: Written): Change[] {
  const { id } = now;
  const services = now.services.flatMap((service, index) => {
    const was = old.services.find((other) => other.id === service.id);
    const of = `${id}/${service.id}`;
    return was ? entryChanges(was, service, of, [...path, 'options', index]) : [added(service, of, 'New service')];
  });
  const gone = old.services.filter((service) => now.services.every((other) => other.id !== service.id));
  return [
    ...entryChanges(old, now, id, path),
    ...services,
    ...gone.map((service) => {
      const index = old.services.indexOf(service);
      const source = written('options', index);
      return removed(service, `${id}/${service.id}`, 'Service removed', [...path, 'options'], index, source);
    }),
    ...orderChange(old, now, id, path),
    ...questionChanges(old, now, path, written),
  ];
}

const parts = ['options', 'intake_requirements', 'quality_review', 'reviewer', 'retired'];

function entryChanges(old: Service, now: Service, id: string, path: Path): Change[] {
  const of = now.name || now.id;
  const back = (...keys: string[]) => undoing(old.entry, path, keys);
  const keys = [...new Set([...Object.keys(old.entry), ...Object.keys(now.entry)])].filter(
    (key) => !parts.includes(key) && !same(meaningOf(old.entry, key), meaningOf(now.entry, key)),
  );
  const changes = keys.map((key): Change => {
    const { words, unit, concerns = null } = serviceFields[key] ?? { words: key.replaceAll('_', ' ') };
    const figures =
      unit === undefined ? {} : { was: figureIn(old.entry, key), now: `${figureIn(now.entry, key)}${unit}` };
    const plain = key === 'name' ? `Name is now “${now.name}”` : `${words} changed`;
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

/** A figure that is missing means its default. */
const meaningOf = (entry: Entry, key: string) =>
  serviceFields[key]?.unit === undefined ? entry[key] : figureIn(entry, key);

function orderChange(old: Family, now: Family, id: string, path: Path): Change[] {
  const ids = ({ services }: Family) => services.map((service) => service.id);
  const order = orderBefore(ids(now).map((service) => ids(old).indexOf(service)));
  const undo: Change['undo'] = (text) => withItems(text, [...path, 'options'], order ?? []);
  return order ? [{ of: now.name, id, words: 'Services stand in another order', concerns: null, undo }] : [];
}

function added(service: Service, id: string, words: string): Change {
  const undo: Change['undo'] = (text) => withoutService(text, id);
  return { of: service.name || service.id, id, words, concerns: null, isNew: true, undo };
}

type From = [list: Path, index: number, source: string | undefined];

function removed(service: Service, id: string, words: string, ...[list, index, source]: From): Change {
  const undo: Change['undo'] = (text) => withItem(text, list, index, service.entry, source);
  return { of: service.name || service.id, id, words, concerns: 'both', undo };
}

/** "2 open jobs keep 72. 4 open drafts are told." */
export function sayConcerned(
  { id, concerns, was = '', words, askedFor }: Change,
  services: readonly ServiceInUse[],
): string {
  const isFamily = !id.includes('/');
  const mine = services.filter(({ service_family: family, service_type: type }) =>
    isFamily ? family === id && (!askedFor || askedFor.includes(type ?? '')) : `${family}/${type}` === id,
  );
  const sum = (key: 'open_jobs' | 'open_drafts') => mine.reduce((all, row) => all + row[key], 0);
  const [jobs, drafts] = [sum('open_jobs'), sum('open_drafts')];
  const keep = words === 'No longer offered' ? (jobs === 1 ? 'goes on' : 'go on') : jobs === 1 ? 'keeps' : 'keep';
  const what = keep.startsWith('go') ? '' : /^\d/.test(was) ? ` ${was}` : ' what was promised';
  return [
    concerns !== null && concerns !== 'drafts' && jobs > 0 ? `${counted(jobs, 'open job')} ${keep}${what}` : '',
    concerns !== null && concerns !== 'jobs' && drafts > 0
      ? `${counted(drafts, 'open draft')} ${drafts === 1 ? 'is' : 'are'} told`
      : '',
  ]
    .filter(Boolean)
    .join('. ');
}
