import { useQuery } from '@tanstack/react-query';
import { operationQuery, type Output } from '../../app/api.ts';
import type { Operator } from './change-operator.tsx';

/** What follows, before an operator is removed. */
export function Removal({ operator: { id, held_jobs } }: { operator: Operator }) {
  const keys = useQuery(operationQuery('listWorkerKeys'));
  const made = keys.data?.worker_keys.filter(({ status, created_by }) => status === 'active' && created_by.id === id);
  return (
    <ul className="stack-small">
      <li>They are signed out everywhere, and the desk is closed to them at once.</li>
      <li>
        {held_jobs === 0
          ? 'They hold no job.'
          : `${count(held_jobs, 'job')} that they hold ${held_jobs === 1 ? 'goes' : 'go'} back to the queue.`}
      </li>
      {made && made.length > 0 && (
        <li>
          {count(made.length, 'worker key')} that they made {made.length === 1 ? 'stops' : 'stop'} working. The jobs of
          these workers go back, too.
        </li>
      )}
      <li>Invitations that they sent end. They stay a customer, with their own account.</li>
    </ul>
  );
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

export function sayEnded({
  jobs,
  worker_keys: keys,
  operator_invitations: invitations,
}: Output<'removeOperator'>): string {
  const ended = [
    ...(jobs > 0 ? [`${count(jobs, 'job')} back in the queue`] : []),
    ...(keys > 0 ? [`${count(keys, 'worker key')} revoked`] : []),
    ...(invitations > 0 ? [`${count(invitations, 'invitation')} ended`] : []),
  ].join(', ');
  return ended && `${ended}.`;
}
