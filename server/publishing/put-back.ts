import { at, type Path, valueOf, withValue } from '../../contract/studio/yaml-edits.ts';
import { sourceAt, withItem } from '../../contract/studio/yaml-lists.ts';
import { isEntry, type Value } from '../../contract/studio/yaml-written.ts';
import type { Documents } from '../catalog/documents.ts';

/** An option is `family/option`. */
export type Ids = { services: string[]; plans: string[] };

/** An entry where it was and where its list is now. */
type Added = { file: string; was: Path; list: Path };

/** The documents of `after` that change when these come back from `before`, retired. */
export function putBack(before: Documents, after: Documents, { services, plans }: Ids): Map<string, Buffer> {
  const changed = new Map<string, Buffer>();
  if (services.length + plans.length === 0) return changed;
  for (const { file, was, list } of [...leftServices(before, after, services), ...leftPlans(before, plans)]) {
    const text = textIn(changed.has(file) ? changed : after, file);
    changed.set(file, Buffer.from(withEntry(textIn(before, file), was, text, list)));
  }
  for (const [file, bytes] of before)
    if (services.some((service) => file.startsWith(`pictures/${service}.`)) && !after.has(file))
      changed.set(file, bytes);
  return changed;
}

/** A family comes back whole, if all of it was left out. */
function leftServices(before: Documents, after: Documents, services: string[]): Added[] {
  const file = 'families.yaml';
  const [text, now] = [textIn(before, file), idsIn(textIn(after, file), ['families'])];
  return idsIn(text, ['families']).flatMap((family, index): Added[] => {
    const isWanted = services.some((service) => service.split('/')[0] === family);
    const [place, options] = [now.indexOf(family), ['families', index, 'options']];
    if (place === -1) return isWanted ? [{ file, was: ['families', index], list: ['families'] }] : [];
    return idsIn(text, options).flatMap((id, option) =>
      services.includes(`${family}/${id}`)
        ? { file, was: [...options, option], list: ['families', place, 'options'] }
        : [],
    );
  });
}

const leftPlans = (before: Documents, codes: string[]): Added[] =>
  idsIn(textIn(before, 'plans.yaml'), ['plans'], 'code').flatMap((code, index) =>
    codes.includes(code) ? { file: 'plans.yaml', was: ['plans', index], list: ['plans'] } : [],
  );

const textIn = (documents: Documents, file: string): string => documents.get(file)?.toString() ?? '';

/** Accepts anything; what is no entry counts, so that the places are those in the text. */
function idsIn(text: string, list: Path, key = 'id'): string[] {
  const entries = at(valueOf(text), list);
  const idOf = (entry: Value) => (isEntry(entry) && typeof entry[key] === 'string' ? entry[key] : '');
  return Array.isArray(entries) ? entries.map(idOf) : [];
}

/** The text with the entry as it was written, retired. It stays if it has no place for a list. */
function withEntry(before: string, was: Path, text: string, list: Path): string {
  const entry = at(valueOf(before), was);
  if (!isEntry(entry)) return text;
  const now = at(valueOf(text), list);
  const items = Array.isArray(now) ? now : [];
  const source = sourceAt(before, was.slice(0, -1), Number(was.at(-1)));
  const added = withItem(text, list, items.length, entry, source);
  return (
    (added && withValue(added, [...list, items.length, 'retired'], true)) ??
    withValue(text, list, [...items, { ...entry, retired: true }]) ??
    text
  );
}
