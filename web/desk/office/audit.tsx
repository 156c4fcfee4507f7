import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters, type Filter, filters } from './audit-filters.tsx';
import { AuditLines } from './audit-lines.tsx';
import { auditReads } from './audit.reads.ts';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';

export function Audit() {
  const [, setAddress] = useAddress<Filter>();
  const reads = useReads(auditReads);
  const entries = usePages(reads.entries);
  return (
    <>
      <PageHead
        title="Audit log"
        below="Every change, and downloads at the desk, exports, and wrong passwords and codes."
      >
        <ExportButton list="audit" read={reads.entries} />
        <AuditLines />
      </PageHead>
      <AuditFilters />
      <PagedList
        label="Changes"
        tight
        pages={entries}
        empty={
          <Empty
            action={
              <ActionButton variant="default" onClick={() => setAddress(nothingChosen)}>
                Show everything
              </ActionButton>
            }
          >
            No change matches.
          </Empty>
        }
        columns={auditColumns}
        rowKey={({ id }) => id}
      />
    </>
  );
}

const nothingChosen = Object.fromEntries(filters.map((filter) => [filter, undefined]));
