import { at, type Path, valueOf, withValue } from '../../../contract/studio/yaml-edits.ts';
import { sourceAt, withItem, withItems, without } from '../../../contract/studio/yaml-lists.ts';
import { type Change, entriesIn, orderBefore, placesBefore, same, textIn, textsIn, undoing } from './families.ts';
import type { Entry } from '../../../contract/studio/yaml-written.ts';

/** Stands for `file-types.yaml` where others are named by their family. */
export const fileTypesId = 'file-types';
export const typeList: Path = ['file_types'];

/** Null if the text has another shape, which only the text can mend. */
export const typesIn = (text: string): Entry[] | null => entriesIn(at(valueOf(text), typeList));

/** With one more type, at this place or at the end. */
export const withType = (text: string, index: number, type: Entry, source?: string): string | null =>
  withItem(text, typeList, index, type, source) ??
  (typesIn(text)?.length === 0 ? withValue(text, typeList, [type]) : null);

/** The list stays when its last type goes. */
export const withoutType = (text: string, index: number): string | null =>
  typesIn(text)?.length === 1 ? withValue(text, typeList, []) : without(text, typeList, index);

const labels: Record<string, string> = { extensions: 'endings', aliases: 'other names', starts_with: 'first bytes' };
const labelOf = (field: string) => labels[field] ?? field.replaceAll('_', ' ');

/** "image/tiff: endings", from a path such as `/file_types/3/extensions/0`. */
export function typeLabel(types: Entry[], path: string): string | null {
  const [, , index, field = ''] = path.split('/');
  const type = types[Number(index)];
  return type ? [textIn(type, 'media_type') || 'New file type', labelOf(field)].filter(Boolean).join(': ') : null;
}

const nameOf = (type: Entry): string => textIn(type, 'media_type') || 'without a name';
const endingsOf = (type: Entry): string => textsIn(type, 'extensions').join(', ') || 'none';

/** What is different between two texts, in words; nothing if the form cannot read one of them. */
export function typeChanges(published: string, text: string): Change[] {
  const [before, now] = [typesIn(published), typesIn(text)];
  if (!before || !now || published === text) return [];
  const places = placesBefore(before.map(nameOf), now.map(nameOf));
  const change = (words: string, undo: Change['undo'], figures: Pick<Change, 'was' | 'now'> = {}): Change => ({
    of: 'File types',
    id: fileTypesId,
    words,
    concerns: null,
    undo,
    ...figures,
  });
  const changes = now.flatMap((type, index) => {
    const was = before[places[index] ?? -1];
    if (!was) return [change(`File type ${nameOf(type)} added`, (from) => withoutType(from, index))];
    const keys = [...new Set([...Object.keys(was), ...Object.keys(type)])].filter((key) => !same(was[key], type[key]));
    return keys.map((key) => {
      const undo = undoing(was, [...typeList, index], [key]);
      if (key === 'media_type') return change(`File type ${nameOf(was)} is now ${nameOf(type)}`, undo);
      if (key !== 'extensions') return change(`File type ${nameOf(type)} has changed ${labelOf(key)}`, undo);
      return change(`Endings of ${nameOf(type)}`, undo, { was: endingsOf(was), now: endingsOf(type) });
    });
  });
  const gone = before.flatMap((type, index) => {
    const undo: Change['undo'] = (from) => withType(from, index, type, sourceAt(published, typeList, index));
    return places.includes(index) ? [] : change(`File type ${nameOf(type)} removed`, undo);
  });
  const order = orderBefore(places);
  const moved = order && change('File types stand in another order', (from) => withItems(from, typeList, order));
  return [...changes, ...gone, ...(moved ? [moved] : [])];
}
