import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { List, ListFoot } from '../../ui/list/list.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters, type Filter } from './audit-filters.tsx';
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
        actions={
          <>
            <ExportButton list="audit" read={reads.entries} />
            <AuditLines />
          </>
        }
      />
      <AuditFilters />
      {entries.error && !entries.data ? (
        <Failure error={entries.error} retry={() => void entries.refetch()} />
      ) : entries.data?.length === 0 ? (
        <Empty
          action={
            <ActionButton variant="default" onClick={() => setAddress(nothingChosen)}>
              Show everything
            </ActionButton>
          }
        >
          No change matches.
        </Empty>
      ) : (
        <>
          <List label="Changes" tight rows={entries.data} columns={auditColumns} rowKey={({ id }) => id} />
          {entries.data && (
            <ListFoot shown={`${entries.data.length} shown`} more={entries.more} loading={entries.loadingMore} />
          )}
        </>
      )}
    </>
  );
}

const nothingChosen: { [F in Filter]: undefined } = {
  account: undefined,
  actor: undefined,
  action: undefined,
  subject: undefined,
  by: undefined,
  request: undefined,
  from: undefined,
  to: undefined,
};
