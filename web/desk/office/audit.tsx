import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, AtelierError } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/list.tsx';
import { notify, PageHead, sayFailure } from '../../ui/page/page.tsx';
import { PagedList } from '../../ui/list/paged-list.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { queryText, saveFile } from '../export/export-list.ts';
import { auditColumns } from './audit-columns.tsx';
import { AuditFilters, type Filter, filters } from './audit-filters.tsx';
import { auditFilter, auditReads } from './audit.reads.ts';
import { usePages, useReads } from '../../app/use-reads.ts';

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

/** All matching entries as JSON lines, for programs. */
function AuditLines() {
  const [search] = useAddress<Filter>();
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const filters = queryText(auditFilter(search));
    await api.startExport({ body: { list: 'audit', filters } });
    const answer = await fetch(`/api/operator/v1/audit?${filters}`, { headers: { accept: 'application/x-ndjson' } });
    if (!answer.ok) throw new AtelierError(answer.status, {});
    saveFile('audit.ndjson', await answer.blob());
  };
  const start = () =>
    void save()
      .catch((error: Error) => notify(sayFailure(error).title))
      .finally(() => setSaving(false));
  return (
    <Button variant="default" loading={saving} onClick={start}>
      Save as JSON lines
    </Button>
  );
}
