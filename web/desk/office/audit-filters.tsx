import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { boundOfDay } from '../../ui/time/day.ts';
import { shortened } from './audit-details.tsx';
import { actorWords, auditWords } from './audit-words.ts';

export const filters = ['account', 'actor', 'action', 'subject', 'by', 'request', 'from', 'to'] as const;
export type Filter = (typeof filters)[number];

export function AuditFilters() {
  const [address, setAddress] = useAddress<Filter>();
  return (
    <search className="chips" aria-label="Filters">
      <Select
        w={150}
        aria-label="Who"
        data={[{ value: '', label: 'Anybody' }, ...options(actorWords)]}
        value={address.actor ?? ''}
        onChange={(actor) => setAddress({ actor: actor ?? undefined })}
      />
      <PersonFilter />
      <Select
        w={180}
        searchable
        aria-label="What"
        data={[{ value: '', label: 'Any change' }, ...options(auditWords)]}
        value={address.action ?? ''}
        onChange={(action) => setAddress({ action: action ?? undefined })}
      />
      <SubjectFilter />
      <AccountFilter />
      <SearchField
        label="Request id"
        width={126}
        value={address.request}
        onFind={(request) => setAddress({ request })}
      />
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

type Option = { value: string; label: string };

function PersonFilter() {
  const [{ by }, setAddress] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const operators = useQuery(operationQuery('listOperators')).data?.operators ?? [];
  const workers = useQuery(operationQuery('listWorkerKeys')).data?.worker_keys ?? [];
  const people = [...operators, ...workers].map(({ id, name }) => ({ value: id, label: name }));
  const words = typed.toLowerCase();
  return (
    <Pick
      label="Person or key"
      value={by}
      name={people.find(({ value }) => value === by)?.label}
      matches={people.filter(({ label }) => label.toLowerCase().includes(words))}
      onType={setTyped}
      onPick={(id) => setAddress({ by: id })}
    />
  );
}

/** Milliseconds after the last key. */
const pause = 200;

/** A job by its title, anything else by its id. */
function SubjectFilter() {
  const [{ subject }, setAddress] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), pause);
  const jobs = useQuery({
    ...operationQuery('listQueue', { query: { q, sort: 'newest', limit: 8 } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const present = useQuery({
    ...operationQuery('readDeskJob', { path: { id: subject ?? '' } }),
    enabled: subject?.startsWith('job_') ?? false,
  });
  return (
    <Pick
      label="Job or other id"
      value={subject}
      name={present.data?.job.customer_title}
      matches={(jobs.data?.jobs ?? []).map(({ id, customer_title: label }) => ({ value: id, label }))}
      onType={setTyped}
      onPick={(id) => setAddress({ subject: id })}
    />
  );
}

function AccountFilter() {
  const [{ account }, setAddress] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), pause);
  const accounts = useQuery({
    ...operationQuery('listAccounts', { query: { q, limit: 8 } }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  });
  const present = useQuery({
    ...operationQuery('readAccount', { path: { id: account ?? '' } }),
    enabled: account !== undefined,
  });
  return (
    <Pick
      label="Account"
      value={account}
      name={present.data?.account.name}
      matches={(accounts.data?.accounts ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onType={setTyped}
      onPick={(id) => setAddress({ account: id })}
    />
  );
}

type PickProps = {
  label: string;
  value: string | undefined;
  /** What `value` is called, once that is known. */
  name: string | undefined;
  matches: Option[];
  onType: (words: string) => void;
  onPick: (id: string | undefined) => void;
};

/** Finds by name. An id can be pasted. */
function Pick({ label, value, name, matches, onType, onPick }: PickProps) {
  const [typed, setTyped] = useState('');
  const pasted = /^[a-z]+_\w+$/.test(typed) ? [typed] : [];
  const ids = [...pasted, ...(value ? [value] : [])].filter((id) => !matches.some((match) => match.value === id));
  const data = [...ids.map((id) => ({ value: id, label: id === value ? (name ?? shortened(id)) : id })), ...matches];
  return (
    <Select
      w={160}
      searchable
      clearable
      aria-label={label}
      placeholder={label}
      data={data}
      // The service has searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={typed.length > 1 ? 'Nothing found' : 'Type a name, or paste an id'}
      value={value ?? null}
      onSearchChange={(words) => (setTyped(words.trim()), onType(words))}
      onChange={(id) => onPick(id ?? undefined)}
    />
  );
}
