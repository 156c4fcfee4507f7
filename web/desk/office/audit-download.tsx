import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { AtelierError, type AuditEntry } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { sayFailure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import type { Filter } from './audit-filters.tsx';
import { auditFilter } from './audit.reads.ts';
import { csv } from './csv.ts';

/** All matching entries, not only those shown. */
export function AuditDownload() {
  const [search] = useAddress<Filter>();
  const [saving, setSaving] = useState(false);
  const save = async (asTable: boolean) => {
    setSaving(true);
    const query = new URLSearchParams(
      Object.entries(auditFilter(search)).map(([name, value]): [string, string] => [name, [value].flat().join(',')]),
    );
    const answer = await fetch(`/api/operator/v1/audit?${query}`, { headers: { accept: 'application/x-ndjson' } });
    if (!answer.ok) throw new AtelierError(answer.status, {});
    const lines = await answer.text();
    saveFile(asTable ? 'audit.csv' : 'audit.ndjson', asTable ? tableOf(lines) : lines);
  };
  const start = (asTable: boolean) => () =>
    void save(asTable)
      .catch((error: Error) => notify(sayFailure(error).title))
      .finally(() => setSaving(false));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={saving} leftSection={<IconDownload size={16} />}>
          Save all
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={start(true)}>As a table (CSV)</Menu.Item>
        <Menu.Item onClick={start(false)}>As JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text]));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

const heads = ['time', 'who', 'name', 'id', 'what', 'on', 'title', 'account', 'details', 'request', 'network'];

function tableOf(lines: string): string {
  const entries = lines.split('\n').filter(Boolean);
  return csv([
    heads,
    ...entries.map((line) => {
      const entry = JSON.parse(line) as AuditEntry;
      return [
        entry.created_at,
        entry.actor,
        entry.created_by?.name,
        entry.created_by?.id,
        entry.action,
        entry.subject,
        entry.subject_name,
        entry.account_id,
        JSON.stringify(entry.details),
        entry.request_id,
        entry.address,
      ];
    }),
  ]);
}
