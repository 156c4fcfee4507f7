import { isSeq, parseDocument } from 'yaml';
import type { Documents } from '../catalog/documents.ts';
import type { Ids } from './compare-documents.ts';

type Entry = { id?: string; code?: string; options?: Entry[] };
type File = { families?: Entry[]; plans?: Entry[] };

/** The documents of `after` that change when these families, options and plans come back from `before`, retired. */
export function putBack(before: Documents, after: Documents, { services, plans }: Ids): Map<string, Buffer> {
  const [families, tiers] = [contentOf(before, 'families.yaml').families, contentOf(before, 'plans.yaml').plans];
  const now = contentOf(after, 'families.yaml').families ?? [];
  const added: { file: string; path: (string | number)[]; entry: Entry }[] = [];
  const add = (file: string, path: (string | number)[], entry: Entry | undefined) =>
    entry && added.push({ file, path, entry });
  const back = families?.filter(({ id }) => id && services.some((service) => service.split('/')[0] === id)) ?? [];
  for (const family of back) {
    const index = now.findIndex(({ id }) => id === family.id);
    if (index === -1) add('families.yaml', ['families'], family);
    else
      for (const option of family.options ?? [])
        if (services.includes(`${family.id}/${option.id}`))
          add('families.yaml', ['families', index, 'options'], option);
  }
  for (const code of plans)
    add(
      'plans.yaml',
      ['plans'],
      tiers?.find((plan) => plan.code === code),
    );
  const changed = new Map<string, Buffer>();
  for (const { file, path, entry } of added)
    changed.set(file, withEntry(changed.get(file) ?? after.get(file), path, entry));
  for (const [file, bytes] of before)
    if (services.some((service) => file.startsWith(`pictures/${service}.`)) && !after.has(file))
      changed.set(file, bytes);
  return changed;
}

const contentOf = (documents: Documents, file: string): File =>
  (parseDocument(documents.get(file)?.toString() ?? '').toJS() ?? {}) as File;

/** The text keeps its comments, but is laid out as the library does it. */
function withEntry(bytes: Buffer | undefined, path: (string | number)[], entry: Entry): Buffer {
  const text = bytes?.toString() ?? '';
  const document = parseDocument(text);
  const list = document.getIn(path, true);
  const { id, code, ...rest } = entry;
  const retired = { ...(id !== undefined && { id }), ...(code !== undefined && { code }), ...rest, retired: true };
  if (isSeq(list)) list.add(document.createNode(retired));
  return Buffer.from(document.toString({ lineWidth: 0, flowCollectionPadding: !/\[[^\s\]]/.test(text) }));
}
