import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { deskStatusWords } from '../../ui/job/words.ts';
import { useAddress } from '../../ui/page/address.ts';
import { useMay } from '../may.ts';
import { readStanding } from '../read-standing.ts';
import { standingOptions } from '../standing-words.ts';
import { queueReads } from './queue.reads.ts';
import type { QueueFilter } from './tabs.ts';

const option = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'due', label: 'Due first' },
];
const states = Object.entries(deskStatusWords).map(([value, label]) => ({ value, label }));

/** By service, holder, what matters about the customer, state and order. */
export function useCriteria() {
  const [{ family = '', holder = '', standing, status = '', sort = '' }] = useAddress<QueueFilter>();
  const services = useServiceNames().everyFamily.map(option);
  const standings = { options: standingOptions, value: readStanding(standing) ?? '' };
  const several = status.split(',').map((name) => states.find(({ value }) => value === name)?.label ?? name);
  const stateOptions = status.includes(',') ? [...states, { value: status, label: several.join(', ') }] : states;
  return [
    { name: 'family', label: 'Service', any: 'Any service', options: services, value: family },
    { name: 'holder', label: 'Holder', any: 'Anybody', options: useHolders(), value: holder },
    { name: 'standing', label: 'Standing', any: 'Any standing', ...standings },
    { name: 'status', label: 'State', any: 'As in the tab', options: stateOptions, value: status },
    { name: 'sort', label: 'Order', any: 'As in the tab', options: orders, value: sort },
  ];
}

function useHolders(): { value: string; label: string }[] {
  const [{ holder }] = useAddress<QueueFilter>();
  const { user } = useSession();
  const operators = useRead(useReads(queueReads).operators);
  const workers = useQuery({ ...operationQuery('listWorkerKeys'), enabled: useMay()('read_records') });
  const options = [
    { value: 'none', label: 'Free' },
    { value: 'me', label: 'You' },
    ...(operators.data?.operators ?? [])
      .filter(({ id }) => id !== user.id)
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(option),
    ...(workers.data?.worker_keys ?? []).filter(({ status }) => status === 'active').map(option),
  ];
  const unknown = holder !== undefined && !options.some(({ value }) => value === holder);
  return unknown ? [...options, { value: holder, label: holder }] : options;
}
