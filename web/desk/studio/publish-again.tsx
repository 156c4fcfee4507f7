import { Button, Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { catalogVersionBounds } from '../../../contract/desk/catalog-version-bounds.ts';
import { type CatalogVersionDocuments, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Changes, inDialog } from './changes.tsx';
import { editsTo } from './edits.ts';
import { Prices, Problems } from './problems.tsx';
import { whenPublished } from './published.ts';
import type { StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

type Props = { version: CatalogVersionDocuments; edits: StudioEdits; onClose: () => void };

/** What going back would change and retire; it can be edited first. */
export function PublishAgain({ version, edits, onClose }: Props) {
  const { newest } = edits;
  const [, setAddress] = useAddress<StudioAddress>();
  const [note, setNote] = useState('');
  const check = useOperation('checkCatalog');
  const republish = useOperation('republishCatalog');
  const documents = version.documents.map(({ file, sha256 }) => ({ file, sha256 }));
  // oxlint-disable-next-line react/exhaustive-deps -- for each version that it is compared with
  useEffect(() => check.mutate({ body: { documents, retire_left_out: true } }), [newest.number]);
  const result = check.data?.catalog_check;
  const body = { expected_version: newest.number, ...(note.trim() && { note: note.trim() }) };
  const idempotencyKey = useMoveKey(JSON.stringify([version.number, body]));
  const publish = () =>
    republish.mutate(
      { path: { number: String(version.number) }, body, idempotencyKey },
      whenPublished(({ number: next }) => {
        onClose();
        setAddress({ version: String(next) });
      }),
    );
  const open = () => {
    edits.replaceBy(editsTo(newest, version.documents, result?.put_back ?? []));
    onClose();
    setAddress({ part: 'catalog', version: undefined }, { replace: false });
  };
  const { everyFamily, service } = useServiceNames();
  const nameOf = (id: string) => {
    const [family = '', option = null] = id.split('/');
    return everyFamily.some((other) => other.id === family) ? service(family, option) : `the plan ${id}`;
  };
  const retired = new Intl.ListFormat('en').format(result?.retired.map(nameOf) ?? []);
  return (
    <FormDialog
      onClose={onClose}
      size={860}
      title={`Publish version ${version.number} again?`}
      submit={`Publish as version ${newest.number + 1}`}
      onSubmit={publish}
      action={{ isPending: republish.isPending, error: republish.error ?? check.error }}
      disabled={!result || result.problems.length > 0}
    >
      <p className="second">
        Its files take the place of those of version {newest.number}. Customers see it within a second. Jobs keep what
        they were promised.
      </p>
      {!result && !check.error && <Skeleton height={160} aria-label="Checking" />}
      {result && (
        <>
          {retired && (
            <p className="note turn breaks">
              <strong>{retired}</strong> came after version {version.number}, and something refers to it. It stays,
              retired: no longer offered, with its name where it was ordered.
            </p>
          )}
          {result.problems.length > 0 && <Problems problems={result.problems} goTo={open} />}
          <Prices check={result} />
          <div style={inDialog}>
            <Changes changes={result.changes} label="Going back in" />
          </div>
          <div className="row">
            <Button variant="default" onClick={open}>
              Open in the editor
            </Button>
            <span className="second small">
              As changes that are not published.
              {edits.changed.length > 0 && ' Those that you have now are lost.'}
            </span>
          </div>
        </>
      )}
      <Textarea
        label="Note"
        maxLength={catalogVersionBounds.note}
        value={note}
        onChange={({ currentTarget: { value } }) => setNote(value)}
      />
    </FormDialog>
  );
}
