import { Skeleton } from '@mantine/core';
import { type FormEvent, useEffect } from 'react';
import { catalogVersionBounds } from '../../../contract/desk/catalog-version-bounds.ts';
import { useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { KeyHint } from '../../ui/shell/shortcuts.tsx';
import { Changes, inDialog } from './changes.tsx';
import { Outdated } from './outdated.tsx';
import { Cleaned, type Naming, Prices, Problems } from './problems.tsx';
import { whenPublished } from './published.ts';
import type { Spot } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

const InWords = part(() => import('./in-words.tsx'), 'InWords', null, false);

type Props = { edits: StudioEdits; goTo: (spot: Spot) => void; naming?: Naming | undefined; onClose: () => void };

/** Checks the edits, shows what they change, and publishes them. */
export function PublishDialog({ edits, goTo, naming, onClose }: Props) {
  const { documents, newest } = edits;
  const check = useOperation('checkCatalog');
  const { mutate } = check;
  const checkThem = () => mutate({ body: { documents } });
  // oxlint-disable-next-line react/exhaustive-deps -- for each version that the edits are compared with
  useEffect(checkThem, [newest.number]);
  const result = check.data?.catalog_check;
  const leave = (spot: Spot) => (onClose(), goTo(spot));
  return (
    <Dialog opened onClose={onClose} title={`Publish version ${newest.number + 1}`} size={860}>
      <div className="stack" style={inDialog}>
        {edits.isOutdated && <Outdated edits={edits} />}
        {check.error ? (
          <Failure error={check.error} retry={checkThem} />
        ) : !result ? (
          <Skeleton height={160} aria-label="Checking" />
        ) : result.problems.length > 0 ? (
          <>
            <Problems problems={result.problems} goTo={leave} naming={naming} />
            <DialogButtons onBack={onClose} disabled>
              Publish
            </DialogButtons>
          </>
        ) : (
          <>
            <InWords edits={edits} services={result.services} />
            <Prices check={result} edits={edits} />
            <Cleaned cleaned={result.cleaned} />
            <Changes changes={result.changes} />
            <Publication edits={edits} onClose={onClose} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Publication({ edits, onClose }: Pick<Props, 'edits' | 'onClose'>) {
  const { documents, newest } = edits;
  const [note, setNote, forget] = useDraft('studio-note', '');
  const publish = useOperation('publishCatalog');
  const body = {
    documents,
    expected_version: edits.edits.base ?? newest.number,
    ...(note.trim() && { note: note.trim() }),
  };
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = () => {
      forget();
      edits.discard();
      onClose();
    };
    publish.mutate({ body, idempotencyKey }, whenPublished(done));
  };
  const wrong = fieldError(publish.error, 'note');
  const overtaken = publish.error?.code === 'catalog_changed';
  return (
    <form className="stack" onSubmit={submit}>
      <Textarea
        label="Note"
        description="What changes and why, for colleagues and the list of versions."
        maxLength={catalogVersionBounds.note}
        value={note}
        onChange={({ currentTarget: { value } }) => setNote(value)}
        error={wrong}
        data-autofocus
      />
      <p className="second small">
        Customers see it within a second. Jobs keep what they were promised. You can publish an earlier version again.
      </p>
      {publish.error && !wrong && !overtaken && <Failure error={publish.error} />}
      <DialogButtons
        onBack={onClose}
        type="submit"
        loading={publish.isPending}
        disabled={edits.isOutdated}
        rightSection={<KeyHint>mod+Enter</KeyHint>}
      >
        Publish
      </DialogButtons>
    </form>
  );
}
