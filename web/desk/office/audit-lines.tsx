import { Button } from '@mantine/core';
import { useState } from 'react';
import { api, AtelierError } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { sayFailure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { saveFile } from '../export/save-file.ts';
import type { Filter } from './audit-filters.tsx';
import { auditFilter } from './audit.reads.ts';

/** All matching entries as JSON lines, for programs. */
export function AuditLines() {
  const [search] = useAddress<Filter>();
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const filters = new URLSearchParams(
      Object.entries(auditFilter(search)).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
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
