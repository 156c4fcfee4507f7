import { isSeq, parseDocument } from 'yaml';
import type { Documents } from '../catalog/documents.ts';

/** An option is `family/option`. */
export type Ids = { services: string[]; plans: string[] };

type Entry = { id?: string; code?: string; options?: unknown };
type Added = { file: string; path: (string | number)[]; entry: Entry };

/** The documents of `after` that change when these come back from `before`, retired. */
export function putBack(before: Documents, after: Documents, { services, plans }: Ids): Map<string, Buffer> {
  const changed = new Map<string, Buffer>();
  if (services.length + plans.length === 0) return changed;
  for (const { file, path, entry } of [...leftServices(before, after, services), ...leftPlans(before, plans)])
    changed.set(file, withEntry(changed.get(file) ?? after.get(file), path, entry));
  for (const [file, bytes] of before)
    if (services.some((service) => file.startsWith(`pictures/${service}.`)) && !after.has(file))
      changed.set(file, bytes);
  return changed;
}

/** A family comes back whole, if all of it was left out. */
function leftServices(before: Documents, after: Documents, services: string[]): Added[] {
  const file = 'families.yaml';
  const now = entriesOf(contentOf(after, file), 'families');
  return entriesOf(contentOf(before, file), 'families').flatMap((family): Added[] => {
    const index = now.findIndex(({ id }) => id === family.id);
    const isWanted = services.some((service) => service.split('/')[0] === family.id);
    if (index === -1) return isWanted ? [{ file, path: ['families'], entry: family }] : [];
    return entriesOf(family, 'options')
      .filter(({ id }) => services.includes(`${family.id}/${id}`))
      .map((entry) => ({ file, path: ['families', index, 'options'], entry }));
  });
}

const leftPlans = (before: Documents, codes: string[]): Added[] =>
  entriesOf(contentOf(before, 'plans.yaml'), 'plans')
    .filter(({ code }) => code !== undefined && codes.includes(code))
    .map((entry) => ({ file: 'plans.yaml', path: ['plans'], entry }));

const contentOf = (documents: Documents, file: string): unknown =>
  parseDocument(documents.get(file)?.toString() ?? '').toJS();

/** Accepts anything; what is no entry counts, so that the places are those in the text. */
function entriesOf(content: unknown, list: string): Entry[] {
  const entries = (content as Record<string, unknown> | null)?.[list];
  return Array.isArray(entries) ? entries.map((entry) => (entry ?? {}) as Entry) : [];
}

/** The text keeps its comments, but is laid out as the library does it. */
function withEntry(bytes: Buffer | undefined, path: (string | number)[], entry: Entry): Buffer {
  const text = bytes?.toString() ?? '';
  const document = parseDocument(text);
  const list = document.getIn(path, true);
  if (isSeq(list)) list.add(document.createNode({ ...entry, retired: true }));
  return Buffer.from(document.toString({ lineWidth: 0, flowCollectionPadding: !/\[[^\s\]]/.test(text) }));
}
