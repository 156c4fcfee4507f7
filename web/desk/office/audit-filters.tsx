import { Checkbox, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { boundOfDay } from '../../ui/time/day.ts';
import { shortened } from './audit-columns.tsx';
import { actorWords, auditWords } from './audit-words.ts';

export const filters = ['account', 'actor', 'action', 'subject', 'by', 'request', 'from', 'to', 'noise'] as const;
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
      <Checkbox
        label="Unused payment events"
        checked={address.noise === 'on'}
        onChange={(event) => setAddress({ noise: event.currentTarget.checked ? 'on' : undefined })}
      />
    </search>
  );
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

function PersonFilter() {
  const [{ by }] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const operators = useQuery(operationQuery('listOperators')).data?.operators ?? [];
  const workers = useQuery(operationQuery('listWorkerKeys')).data?.worker_keys ?? [];
  const people = [...operators, ...workers];
  const matches = people.filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const name = people.find(({ id }) => id === by)?.name;
  return <Pick filter="by" label="Person or key" name={name} matches={matches} onType={setTyped} />;
}

/** Milliseconds after the last key. */
const pause = 200;
const whileTyping = (q: string) => ({ enabled: q.length > 1, placeholderData: keepPreviousData });

/** A job by its title, anything else by its id. */
function SubjectFilter() {
  const [{ subject = '' }] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, pause);
  const search = operationQuery('listQueue', { query: { q, sort: 'newest', limit: 8 } });
  const jobs = useQuery({ ...search, ...whileTyping(q) }).data?.jobs ?? [];
  const present = operationQuery('readDeskJob', { path: { id: subject } });
  const name = useQuery({ ...present, enabled: subject.startsWith('job_') }).data?.job.customer_title;
  const matches = jobs.map(({ id, customer_title: title }) => ({ id, name: title }));
  return <Pick filter="subject" label="Job or other id" name={name} matches={matches} onType={setTyped} />;
}

function AccountFilter() {
  const [{ account = '' }] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, pause);
  const search = operationQuery('listAccounts', { query: { q, limit: 8 } });
  const accounts = useQuery({ ...search, ...whileTyping(q) }).data?.accounts ?? [];
  const present = operationQuery('readAccount', { path: { id: account } });
  const name = useQuery({ ...present, enabled: account !== '' }).data?.account.name;
  return <Pick filter="account" label="Account" name={name} matches={accounts} onType={setTyped} />;
}

type PickProps = {
  filter: Filter;
  label: string;
  /** What the chosen id is called, once that is known. */
  name: string | undefined;
  matches: { id: string; name: string }[];
  onType: (words: string) => void;
};

/** Finds by name. An id can be pasted. */
function Pick({ filter, label, name, matches, onType }: PickProps) {
  const [{ [filter]: value }, setAddress] = useAddress<Filter>();
  const [typed, setTyped] = useState('');
  const pasted = /^[a-z]+_\w+$/.test(typed) ? [typed] : [];
  const ids = [...pasted, ...(value ? [value] : [])].filter((id) => !matches.some((match) => match.id === id));
  return (
    <Select
      w={160}
      searchable
      clearable
      aria-label={label}
      placeholder={label}
      data={[
        ...ids.map((id) => ({ value: id, label: id === value ? (name ?? shortened(id)) : id })),
        ...matches.map((match) => ({ value: match.id, label: match.name })),
      ]}
      // The service has searched.
      filter={({ options: all }) => all}
      nothingFoundMessage={typed.length > 1 ? 'Nothing found' : 'Type a name, or paste an id'}
      value={value ?? null}
      onSearchChange={(words) => (setTyped(words.trim()), onType(words.trim()))}
      onChange={(id) => setAddress({ [filter]: id ?? undefined })}
    />
  );
}
