import { deskPages } from '../../../contract/pages.ts';
import type { CatalogVersion } from '../../app/api.ts';
import { readPages } from '../../app/reads.ts';
import { usePages } from '../../app/use-pages.ts';
import type { Column } from '../../ui/list/list.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import type { StudioEdits } from './use-edits.ts';
import { Version } from './version.tsx';
import { sayAuthor, VersionNote } from './version-words.tsx';

type Props = { edits: StudioEdits; number: string | undefined };

/** What was published, newest first, or one of them. */
export const Versions = ({ edits, number }: Props) =>
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
