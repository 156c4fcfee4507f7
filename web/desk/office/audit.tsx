import { Button, Select, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { AtelierError } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { Failure, sayFailure } from '../../ui/page/failure.tsx';
import { List, ListFoot } from '../../ui/list/list.tsx';
import { PageHead } from '../../ui/page/page.tsx';
import { boundOfDay } from '../../ui/time/day.ts';
import { auditColumns } from './audit-columns.tsx';
import { auditFilter, auditReads } from './audit.reads.ts';
import { actorWords, auditWords } from './audit-words.ts';
import { notify } from '../../ui/page/notify.ts';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { SearchField } from '../../ui/list/search-field.tsx';

type Filter = 'account' | 'actor' | 'action' | 'subject' | 'by' | 'request' | 'from' | 'to';

export function Audit() {
  const [, setAddress] = useAddress<Filter>();
  const entries = usePages(useReads(auditReads).entries);
  return (
    <>
      <PageHead
        title="Audit log"
        below="Every change, and downloads at the desk, exports, and wrong passwords and codes."
        actions={<Download />}
      />
      <Filters />
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

function Filters() {
  const [address, setAddress] = useAddress<Filter>();
  const text = (name: 'subject' | 'account' | 'by' | 'request', label: string) => (
    <SearchField label={label} width={126} value={address[name]} onFind={(query) => setAddress({ [name]: query })} />
  );
  return (
    <search className="chips" aria-label="Filters">
      <Select
        w={112}
        aria-label="Who"
        data={[{ value: '', label: 'Anybody' }, ...options(actorWords)]}
        value={address.actor ?? ''}
        onChange={(actor) => setAddress({ actor: actor ?? undefined })}
      />
      <Select
        w={150}
        searchable
        aria-label="What"
        data={[{ value: '', label: 'Any change' }, ...options(auditWords)]}
        value={address.action ?? ''}
        onChange={(action) => setAddress({ action: action ?? undefined })}
      />
      {text('subject', 'Changed id')}
      {text('account', 'Account id')}
      {text('by', 'Person or key')}
      {text('request', 'Request id')}
      {(['from', 'to'] as const).map((bound) => (
        <TextInput
          key={bound}
          type="date"
          w={176}
          leftSection={<span className="small second">{bound}</span>}
          leftSectionWidth={44}
          aria-label={bound === 'from' ? 'From day' : 'To day'}
          value={boundOfDay(address[bound]) ? address[bound] : ''}
          onChange={(event) => setAddress({ [bound]: event.currentTarget.value })}
        />
      ))}
    </search>
  );
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

function Download() {
  const [search] = useAddress<Filter>();
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const query = new URLSearchParams(
      Object.entries(auditFilter(search)).map(([name, value]): [string, string] => [name, [value].flat().join(',')]),
    );
    const answer = await fetch(`/api/operator/v1/audit?${query}`, { headers: { accept: 'application/x-ndjson' } });
    if (!answer.ok) throw new AtelierError(answer.status, {});
    const address = URL.createObjectURL(await answer.blob());
    Object.assign(document.createElement('a'), { href: address, download: 'audit.ndjson' }).click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button
      variant="default"
      loading={saving}
      leftSection={<IconDownload size={16} />}
      onClick={() =>
        void save()
          .catch((error: Error) => notify(sayFailure(error).title))
          .finally(() => setSaving(false))
      }
    >
      Save all as JSON lines
    </Button>
  );
}
