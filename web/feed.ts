import { useEffect, useSyncExternalStore } from 'react';
import { type AccountEvent, queryClient } from './api.ts';

/** How the feed is: `live` while the stream speaks, `off` where there is none and pages poll. */
type State = 'starting' | 'live' | 'lost' | 'off';

let state: State = 'starting';
const listeners = new Set<() => void>();
const setState = (next: State) => {
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

type Told = { state: State } | { event: Pick<AccountEvent, 'type' | 'job'> } | 'resync';

/** Milliseconds that events are gathered, that a lost stream may be silent about, and until a refused one is tried again. */
const gatherFor = 100;
const lostAfter = 10_000;
const againAfter = 30_000;

/**
 * Follows the account's log, once for all tabs of the browser: HTTP/1.1 has six connections for all of them. The tab that
 * holds the lock reads the stream and tells the others.
 */
export function useFeed(): void {
  useEffect(() => {
    const end = new AbortController();
    const tabs = new BroadcastChannel('atelier-feed');
    const hear = (told: Told) => {
      if (told === 'resync') return void queryClient.invalidateQueries();
      if ('state' in told) return setState(told.state);
      return gather(told.event);
    };
    const tell = (told: Told) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      tabs.postMessage(told);
      hear(told);
    };
    tabs.addEventListener('message', ({ data }: MessageEvent<Told>) => hear(data));
    navigator.locks
      .request('atelier-feed', { signal: end.signal }, () => readStream(tell, end.signal))
      .catch(() => {
        // Given up before it was this tab's turn.
      });
    return () => {
      end.abort();
      tabs.close();
    };
  }, []);
}

/** Reads until the tab goes; a stream that was refused is tried again, and pages poll meanwhile. */
function readStream(tell: (told: Told) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | null = null;
    let lost: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource('/api/v1/events/stream');
      source.addEventListener('open', () => {
        clearTimeout(lost);
        tell({ state: 'live' });
      });
      source.addEventListener('message', ({ data }: MessageEvent<string>) => {
        const { type, job } = JSON.parse(data) as AccountEvent;
        tell({ event: { type, job } });
      });
      source.addEventListener('resync', () => tell('resync'));
      source.addEventListener('error', () => {
        clearTimeout(lost);
        if (source?.readyState === EventSource.CLOSED) {
          tell({ state: 'off' });
          again = setTimeout(open, againAfter);
        } else lost = setTimeout(() => tell({ state: 'lost' }), lostAfter);
      });
    };
    open();
    signal.addEventListener('abort', () => {
      clearTimeout(lost);
      clearTimeout(again);
      source?.close();
      resolve();
    });
  });
}

let gathered: Told[] = [];

function gather(event: Pick<AccountEvent, 'type' | 'job'>): void {
  if (gathered.push({ event }) > 1) return;
  setTimeout(() => {
    const events = gathered.flatMap((told) => (typeof told === 'object' && 'event' in told ? [told.event] : []));
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
