import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import type { CatalogVersion, CatalogVersionDocuments } from '../../app/api.ts';
import { readPages } from '../../app/reads.ts';
import { usePages, useRead } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import type { Column } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { Time } from '../../ui/time/time.tsx';
import { Changes } from './changes.tsx';
import { versionRead } from './studio.reads.ts';
import type { StudioEdits } from './use-edits.ts';

const PublishAgain = part(() => import('./publish-again.tsx'), 'PublishAgain');

/** What was published, newest first, or one of them. */
export const Versions = ({ edits, number }: { edits: StudioEdits; number: string | undefined }) =>
  number === undefined ? <VersionList newest={edits.newest.number} /> : <Version edits={edits} number={number} />;

function VersionList({ newest }: { newest: number }) {
  return (
    <PagedList
      label="Versions"
      tight
      pages={usePages(readPages('listCatalogVersions'))}
      columns={columns(newest)}
      rowKey={({ number }) => String(number)}
      href={({ number }) => pathTo(deskPages.studio, {}, { part: 'versions', version: String(number) })}
    />
  );
}

const columns = (newest: number): Column<CatalogVersion>[] => [
  {
    head: 'Version',
    width: '150px',
    cell: ({ number }) => (
      <span>
        Version {number}
        {number === newest && <span className="small good"> served</span>}
      </span>
    ),
  },
  { head: 'Note', cell: (version) => <VersionNote version={version} /> },
  { head: 'By', width: '190px', cell: (version) => sayAuthor(version) },
  { head: 'Published', width: '130px', named: true, cell: ({ created_at: at }) => <Time at={at} /> },
];

const sayAuthor = ({ created_by: author }: Pick<CatalogVersion, 'created_by'>) => author?.name ?? 'from files';

const VersionNote = ({ version: { note, republished_from: from } }: { version: CatalogVersion }) => (
  <span className="breaks">
    {from !== null && (
      <span className="second">
        again version {from}
        {note && ': '}
      </span>
    )}
    {note ?? (from === null && <span className="third">no note</span>)}
  </span>
);

/** One publication: who, when, why, and what it changed. */
function Version({ edits, number }: { edits: StudioEdits; number: string }) {
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

type HeadProps = { version: CatalogVersionDocuments; edits: StudioEdits };

function VersionHead({ version, edits }: HeadProps) {
  const { newest, readOnly } = edits;
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
      {open && <PublishAgain version={version} edits={edits} onClose={() => setOpen(false)} />}
    </header>
  );
}
