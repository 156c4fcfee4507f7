import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { deskPages } from '../../contract/pages.ts';
import { type AuditEntry, AtelierError, operationQuery } from '../api.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { pathTo, useAddress } from '../ui/address.ts';
import { Copy } from '../ui/code.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure, sayFailure } from '../ui/failure.tsx';
import { type Column, List, ListFoot } from '../ui/list.tsx';
import { PageHead } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { actorWords, auditWords } from './audit-words.ts';
import { say } from './moves.ts';
import { SearchField } from './search-field.tsx';

type Filter = 'account' | 'actor' | 'action' | 'subject' | 'by' | 'request' | 'from' | 'to';

/** Days as people choose them, in their own zone, as bounds of time. */
const startOf = (day: string, later = 0) => {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
};

function useFilter() {
  const [address] = useAddress<Filter>();
  const { account, actor, action, subject, by, request, from, to } = address;
  return {
    ...(account ? { account_id: account } : {}),
    ...(actor ? { actor: actor as AuditEntry['actor'] } : {}),
    ...(action ? { action: [action as AuditEntry['action']] } : {}),
    ...(subject ? { subject } : {}),
    ...(by ? { by } : {}),
    ...(request ? { request_id: request } : {}),
    ...(from ? { from: startOf(from) } : {}),
    ...(to ? { to: startOf(to, 1) } : {}),
  };
}

/** Who changed what, when and from where: of all customers and of the studio itself. */
export function Audit() {
  const filter = useFilter();
  const [limit, setLimit] = useState(50);
  const [, setAddress] = useAddress<Filter>();
  const entries = useQuery(operationQuery('listAudit', { query: { ...filter, limit } }));
  const more = entries.data?.next_cursor && limit < 100 ? () => setLimit(100) : undefined;
  return (
    <>
      <PageHead
        title="Audit log"
        below="Every change by customers, operators, workers, the payment provider and the service."
        actions={<Download />}
      />
      <Filters />
      {entries.error && !entries.data ? (
        <Failure error={entries.error} retry={() => void entries.refetch()} />
      ) : entries.data?.entries.length === 0 ? (
        <Empty
          action={
            <ActionButton variant="default" onClick={() => setAddress(nothingChosen)}>
              Show everything
            </ActionButton>
          }
        >
          Nothing like this was changed.
        </Empty>
      ) : (
        <>
          <List label="Changes" tight rows={entries.data?.entries} columns={columns} rowKey={({ id }) => id} />
          {entries.data && <ListFoot shown={`${entries.data.entries.length} shown`} more={more} />}
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
    <SearchField label={label} width={135} value={address[name]} onFind={(found) => setAddress({ [name]: found })} />
  );
  return (
    <search className="chips" aria-label="Filters">
      <Select
        w={130}
        aria-label="Who"
        data={[{ value: '', label: 'Anybody' }, ...options(actorWords)]}
        value={address.actor ?? ''}
        onChange={(actor) => setAddress({ actor: actor ?? undefined })}
      />
      <Select
        w={170}
        searchable
        aria-label="What"
        data={[{ value: '', label: 'Any change' }, ...options(auditWords)]}
        value={address.action ?? ''}
        onChange={(action) => setAddress({ action: action ?? undefined })}
      />
      {text('subject', 'Changed id')}
      {text('account', 'Account id')}
      {text('by', 'Person or key id')}
      {text('request', 'Request id')}
      {(['from', 'to'] as const).map((bound) => (
        <TextInput
          key={bound}
          type="date"
          w={140}
          aria-label={bound === 'from' ? 'From day' : 'To day'}
          value={address[bound] ?? ''}
          onChange={(event) => setAddress({ [bound]: event.currentTarget.value })}
        />
      ))}
    </search>
  );
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

const columns: Column<AuditEntry>[] = [
  {
    head: 'When',
    width: '15%',
    cell: ({ created_at: at }) => (
      <span className="nowrap">
        <Time at={at} as="moment" />
      </span>
    ),
  },
  {
    head: 'Who',
    width: '18%',
    cell: ({ actor, by }) => (
      <span className="ink">
        {by?.name || actorWords[actor]}
        <span className="cell-second">
          {actorWords[actor]}
          {by && by.kind !== 'user' && ', with a key'}
        </span>
      </span>
    ),
  },
  { head: 'What', width: '22%', cell: ({ action }) => <span className="ink">{auditWords[action]}</span> },
  { head: 'On', cell: ({ subject }) => subject && <Subject id={subject} /> },
  {
    head: 'Request',
    cell: ({ request_id: id }) => (
      <span className="row" style={{ gap: 2, flexWrap: 'nowrap' }}>
        <span className="mono small ellipsis">{id}</span>
        <Copy text={id} label="Copy the request id" />
      </span>
    ),
  },
  {
    head: 'From',
    end: true,
    cell: ({ address }) => address && <span className="mono small third nowrap">{address.slice(0, 8)}</span>,
  },
];

/** A job or an account leads to its page; anything else is an id to look for. */
function Subject({ id }: { id: string }) {
  const page = id.startsWith('job_') ? deskPages.job : id.startsWith('acct_') ? deskPages.account : null;
  return page ? (
    <Link to={pathTo(page, { id })} className="mono small nowrap">
      {id}
    </Link>
  ) : (
    <span className="mono small nowrap">{id}</span>
  );
}

/** All that match, one JSON object a line. */
function Download() {
  const filter = useFilter();
  const [saving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    const query = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [name, [value].flat().join(',')]),
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
          .catch((error: Error) => say(sayFailure(error).title))
          .finally(() => setSaving(false))
      }
    >
      Save all as lines
    </Button>
  );
}
