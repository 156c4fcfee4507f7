import { useMemo } from 'react';
import type { CatalogVersionDocuments } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { documentsOf, type Edit, type Edits, noEdits, textOf, withEdit } from './edits.ts';
import { type Path, withText } from './studio-yaml.ts';

/** The newest version, and what this operator has changed and not published. */
export function useEdits(newest: CatalogVersionDocuments, readOnly: string | null) {
  const [edits, setEdits, discard] = useDraft<Edits>('studio', noEdits);
  const changed = Object.keys(edits.files);
  useWarningOnLeave(changed.length > 0);
  const { documents } = newest;
  const text = (file: string) => textOf(documents, edits, file);
  const edit = (...changes: [file: string, edit: Edit][]) =>
    setEdits((now) => changes.reduce((next, [file, change]) => withEdit(newest, next, file, change), now));
  return {
    newest,
    edits,
    /** Why nothing can be changed; null if it can. */
    readOnly,
    changed,
    /** Somebody has published since the edits began. */
    isOutdated: edits.base !== null && edits.base !== newest.number,
    documents: useMemo(() => documentsOf(documents, edits), [documents, edits]),
    text,
    publishedText: (file: string) => textOf(documents, noEdits, file),
    edit,
    setField: (path: Path, value: string) =>
      edit(['studio.yaml', { text: withText(text('studio.yaml'), path, value) }]),
    discard,
    /** The edits are compared with the newest version from now on. */
    goOn: () => setEdits((now) => ({ ...now, base: newest.number })),
  };
}

export type StudioEdits = ReturnType<typeof useEdits>;
