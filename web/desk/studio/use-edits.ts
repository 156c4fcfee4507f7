import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type CatalogCheck, type CatalogProblem, type CatalogVersionDocuments, operationQuery } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useWarningOnLeave } from '../../ui/page/use-warning-on-leave.ts';
import { documentsOf, type Edit, type Edits, isPublished, noEdits, textOf, withEdit } from './edits.ts';
import { sayPublished } from './published.ts';
import { type Path, withText } from './studio-yaml.ts';

/** The newest version, and what this operator has changed and not published. */
export function useEdits(newest: CatalogVersionDocuments, readOnly: string | null) {
  const [edits, setEdits, discard] = useDraft<Edits>('studio', noEdits);
  const changed = Object.keys(edits.files);
  useWarningOnLeave(changed.length > 0);
  const { documents } = newest;
  const isOutdated = edits.base !== null && edits.base !== newest.number;
  const publishing = useIsMutating({ mutationKey: ['publishCatalog'] }) > 0;
  const isDone = isOutdated && !publishing && isPublished(documents, edits);
  // They were published, and the answer was lost.
  useEffect(() => {
    if (!isDone) return;
    discard();
    sayPublished(newest.number);
  });
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
    isOutdated,
    documents: useMemo(() => documentsOf(documents, edits), [documents, edits]),
    text,
    publishedText: (file: string) => textOf(documents, noEdits, file),
    edit,
    setField: (path: Path, value: string) =>
      edit(['studio.yaml', { text: withText(text('studio.yaml'), path, value) }]),
    discard,
    /** The file is as it was published. */
    revert: (file: string) =>
      setEdits((now) => {
        const { [file]: _, ...files } = now.files;
        return Object.keys(files).length === 0 ? noEdits : { ...now, files };
      }),
    replaceBy: setEdits,
    /** The edits are compared with the newest version from now on. */
    goOn: () => setEdits((now) => ({ ...now, base: newest.number })),
  };
}

type Check = { result: CatalogCheck | null; isPending: boolean; error: Error | null; again: () => void };
export type StudioEdits = ReturnType<typeof useEdits> & { check: Check };

/** Milliseconds after the last change. */
const checkAfter = 600;

/** What the service says about the edits, a moment after each. */
export function useCheck({ edits, documents, changed, readOnly, newest }: ReturnType<typeof useEdits>): Check {
  const isNeeded = readOnly === null && changed.length > 0;
  const [sent, setSent] = useState({ edits: noEdits, documents, turn: 0 });
  useEffect(() => {
    const timer = setTimeout(() => setSent(({ turn }) => ({ edits, documents, turn: turn + 1 })), checkAfter);
    return () => clearTimeout(timer);
  }, [edits, documents]);
  const body = { documents: sent.documents, with_prices: false };
  const { data, error, isFetching, refetch } = useQuery({
    ...operationQuery('checkCatalog', { body }),
    // The documents may be large.
    queryKey: ['checkCatalog', newest.number, sent.turn],
    enabled: isNeeded && sent.turn > 0,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (last) => last,
  });
  return {
    result: (isNeeded && data?.catalog_check) || null,
    isPending: isNeeded && (sent.edits !== edits || isFetching),
    error,
    again: () => void refetch(),
  };
}

/** What is wrong at a field, or in it; null if nothing is. */
export function problemAt({ check }: StudioEdits, file: string, path: readonly (string | number)[]): string | null {
  const pointer = `/${path.join('/')}`;
  const problem = check.result?.problems.find(
    (other) => other.file === file && (other.path === pointer || other.path?.startsWith(`${pointer}/`)),
  );
  return problem ? sayReason(problem) : null;
}

/** The service says it in words of JSON Schema. */
const plainWords: [RegExp, string][] = [
  [/must be integer/, 'must be a whole number'],
  [/must be >= (\d+)/, 'must be at least $1'],
  [/must be <= (\d+)/, 'must be at most $1'],
];

export function sayReason({ reason }: Pick<CatalogProblem, 'reason'>): string {
  const words = plainWords.reduce((text, [technical, plain]) => text.replace(technical, plain), reason);
  return /^(?:must|is|needs|has|begins|says) /.test(words)
    ? `This ${words}.`
    : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}
