import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { catalogVersionBounds } from '../../../contract/desk/catalog-version-bounds.ts';
import { type CatalogVersionDocuments, useOperation } from '../../app/api.ts';
import { useRead } from '../../app/use-reads.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { Changes } from './changes.tsx';
import { published, readIfOvertaken } from './published.ts';
import type { StudioAddress } from './spot.ts';
import { versionRead } from './studio.reads.ts';
import type { StudioEdits } from './use-edits.ts';
import { sayAuthor, VersionNote } from './version-words.tsx';

/** One publication: who, when, why, and what it changed. */
export function Version({ edits, number }: { edits: StudioEdits; number: string }) {
  const version = useRead(versionRead(number));
  return (
    <div className="stack">
      <span className="small second">
        <Link to={pathTo(deskPages.studio, {}, { part: 'versions' })}>Versions</Link> / Version {number}
      </span>
      <Loaded query={version}>
        {({ catalog_version: read }) => (
          <>
            <VersionHead version={read} edits={edits} />
            <Changes changes={read.changes} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function VersionHead({
  version,
  edits: { newest, readOnly },
}: {
  version: CatalogVersionDocuments;
  edits: StudioEdits;
}) {
  const [open, setOpen] = useState(false);
  const isServed = version.number === newest.number;
  return (
    <header className="row between" style={{ alignItems: 'flex-start' }}>
      <div className="stack-small">
        <Box component="h2" fz={16} fw={600}>
          Version {version.number} {isServed && <span className="small good">served</span>}
        </Box>
        <p className="second small">
          {sayAuthor(version)}, <Time at={version.created_at} as="moment" />
        </p>
        <p className="prose">
          <VersionNote version={version} />
        </p>
      </div>
      {readOnly === null && (
        <ActionButton
          variant="default"
          reason={isServed ? 'This version is the one that is served.' : null}
          onClick={() => setOpen(true)}
        >
          Publish again
        </ActionButton>
      )}
      {open && <PublishAgain number={version.number} newest={newest.number} onClose={() => setOpen(false)} />}
    </header>
  );
}

type AgainProps = { number: number; newest: number; onClose: () => void };

function PublishAgain({ number, newest, onClose }: AgainProps) {
  const [, setAddress] = useAddress<StudioAddress>();
  const [note, setNote] = useState('');
  const republish = useOperation('republishCatalog');
  const body = { expected_version: newest, ...(note.trim() === '' ? {} : { note: note.trim() }) };
  const idempotencyKey = useMoveKey(JSON.stringify([number, body]));
  const run = () =>
    republish.mutate(
      { path: { number: String(number) }, body, idempotencyKey },
      {
        onSuccess: ({ catalog_version: version }) => {
          published(version);
          onClose();
          setAddress({ version: String(version.number) });
        },
        onError: readIfOvertaken,
      },
    );
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Publish version ${number} again?`}
      confirm={`Publish as version ${newest + 1}`}
      pending={republish.isPending}
      error={republish.error}
      onConfirm={run}
    >
      <div className="stack">
        <p>
          Its files take the place of those of version {newest}. Customers see it within a second. Jobs keep what they
          were promised.
        </p>
        <Textarea
          label="Note"
          maxLength={catalogVersionBounds.note}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
      </div>
    </Confirm>
  );
}
