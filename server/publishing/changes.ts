import type { DocumentChange } from '../../contract/desk/catalog-versions.ts';
import { type Documents, isText } from '../catalog/documents.ts';
import { lineDiff } from './line-diff.ts';

const none = Buffer.alloc(0);

/** Files that differ, in the order of their names. */
export const changesBetween = (before: Documents, after: Documents): DocumentChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((file) => {
    const [old, now] = [before.get(file), after.get(file)];
    if (old && now?.equals(old)) return [];
    const lines = isText(file) ? lineDiff((old ?? none).toString(), (now ?? none).toString()) : [];
    return { file, kind: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed', lines };
  });
