import { useEffect, useSyncExternalStore } from 'react';
import { type AccountEvent, queryClient } from '../api.ts';
import { shareStream, type StreamState } from './stream.ts';

let state: StreamState = 'connecting';
const listeners = new Set<() => void>();
const setState = (next: StreamState) => {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const isLive = () => state === 'live';
export const useFeedState = () => useSyncExternalStore(subscribe, () => state);

/** Milliseconds that events are gathered. */
const gatherFor = 100;

/** Follows the account's log, once for all tabs of the browser. */
export function useFeed(): void {
  useEffect(
    () =>
      shareStream<AccountEvent>('/api/v1/events/stream', (told) => {
        if (told === 'resync') return void queryClient.invalidateQueries();
        if ('state' in told) {
          // What happened between the page's reads and the stream, or between two streams, may have been told by neither.
          if (told.state === 'live' && state !== 'live') void refreshJobs();
          return setState(told.state);
        }
        return gather(told.entry);
      }),
    [],
  );
}

const refreshJobs = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [operation] }) => [...ofJobs, 'readJob'].includes(String(operation)),
  });

let gathered: AccountEvent[] = [];

function gather(event: AccountEvent): void {
  if (gathered.push(event) > 1) return;
  setTimeout(() => {
    const events = gathered;
    gathered = [];
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [operation, input] }) => events.some((one) => concerns(one, String(operation), input)),
    });
  }, gatherFor);
}

const ofJobs = ['listJobs', 'countJobs', 'readUsage', 'listEntitlements'];

/** Which readings an event makes old. */
function concerns({ type, job }: Pick<AccountEvent, 'type' | 'job'>, operation: string, input: unknown): boolean {
  if (type.startsWith('job.'))
    return (
      ofJobs.includes(operation) ||
      (operation === 'readJob' && (input as { path?: { id?: string } }).path?.id === job?.id)
    );
  if (type === 'entitlement.changed')
    return ['listEntitlements', 'readMe', 'readSession', 'preflightJob'].includes(operation);
  if (type.startsWith('api_key.')) return operation === 'listApiKeys';
  return type.startsWith('webhook_endpoint.') && operation.startsWith('listWebhook');
}
