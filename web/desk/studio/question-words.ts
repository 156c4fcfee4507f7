import {
  type Change,
  type Family,
  isAskedFor,
  orderBefore,
  placeFields,
  placesBefore,
  type Question,
  same,
  undoing,
  type Written,
} from './families.ts';
import type { Path } from '../../../contract/studio/yaml-edits.ts';
import { withItem, withItems, without } from '../../../contract/studio/yaml-lists.ts';

export const kinds: Record<string, string> = {
  name: 'a name',
  text: 'a text',
  choice: 'a choice',
  url: 'a link',
  date: 'a date',
  files: 'files',
};
export const kindWords = ({ kind, choices }: Question): string =>
  kind === 'choice' ? `a choice of ${choices.length}` : (kinds[kind] ?? kind);

const listed = new Intl.ListFormat('en');

const wordFields = ['question', 'hint', 'example', 'also_called'];

export function questionChanges(old: Family, now: Family, path: Path, written: Written): Change[] {
  const list = [...path, 'intake_requirements'];
  const places = placesBefore(labelsOf(old), labelsOf(now));
  const pairs = now.questions.map((question, index) => ({ question, index, was: old.questions[places[index] ?? -1] }));
  const of = now.name || now.id;
  const common = { of, id: now.id, concerns: 'drafts' as const };
  const changes = pairs.flatMap(({ question, index, was }): Change[] => {
    const askedFor = askedBy(now, question, was ?? question);
    const added: Change['undo'] = (text) => without(text, list, index);
    if (!was) return [{ ...common, words: `“${question.label}” is asked, too`, askedFor, undo: added }];
    return oneQuestion(now, was, index).map(({ words, keys }) => {
      const undo = undoing(was.entry, [...list, index], keys);
      return { ...common, words, askedFor, undo };
    });
  });
  const gone = old.questions.filter((_, index) => !places.includes(index));
  for (const question of gone) {
    const index = old.questions.indexOf(question);
    const source = written('intake_requirements', index);
    const undo: Change['undo'] = (text) => withItem(text, list, index, question.entry, source);
    const words = `“${question.label}” is no longer asked`;
    changes.push({ ...common, words, askedFor: askedBy(old, question), undo });
  }
  const order = orderBefore(places);
  if (order) {
    const undo: Change['undo'] = (text) => withItems(text, list, order);
    changes.push({ ...common, words: 'Questions are asked in another order', undo });
  }
  return changes;
}

const labelsOf = ({ questions }: Family) => questions.map(({ label }) => label);

function askedBy({ services }: Family, ...questions: Question[]): string[] | undefined {
  const ids = services.map(({ id }) => id).filter((id) => questions.some((question) => isAskedFor(question, id)));
  return ids.length === services.length ? undefined : ids;
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
