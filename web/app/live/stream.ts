/** `lost`: connecting takes long. `off`: the service refuses streams. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'off';

/** A state, an entry, the name of an entry that has one, or the notice that entries were missed. */
export type StreamMessage<Entry> = { state: StreamState } | { entry: Entry } | { named: string } | 'resync';
type Tell<Entry> = (message: StreamMessage<Entry>) => void;

/** Milliseconds before a broken stream counts as lost, and before a refused one is tried again. */
const lostAfter = 10_000;
const againAfter = 30_000;

/**
 * Reads a stream once for all tabs, because HTTP/1.1 allows six connections for all of them. The tab with the
 * lock reads and tells the others; later tabs ask for the state. Returns a function that stops this tab.
 */
export function shareStream<Entry>(url: string, names: readonly string[], onMessage: Tell<Entry>): () => void {
  const end = new AbortController();
  const tabs = new BroadcastChannel(`atelier-stream ${url}`);
  let state: StreamState | null = null;
  const post = (message: StreamMessage<Entry> | 'how is it?') => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!end.signal.aborted) tabs.postMessage(message);
  };
  const tell: Tell<Entry> = (message) => {
    if (typeof message === 'object' && 'state' in message) ({ state } = message);
    post(message);
    onMessage(message);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<StreamMessage<Entry> | 'how is it?'>) => {
    if (data !== 'how is it?') return onMessage(data);
    // Only the reading tab knows the state.
    if (state) post({ state });
  });
  post('how is it?');
  navigator.locks
    .request(tabs.name, { signal: end.signal }, () => readStream(url, names, tell, end.signal))
    .catch(() => {
      // Stopped before this tab got the lock.
    });
  return () => {
    end.abort();
    tabs.close();
  };
}

/** Reads until the tab closes. Retries a refused stream; pages poll until then. */
function readStream<Entry>(url: string, names: readonly string[], tell: Tell<Entry>, signal: AbortSignal) {
  return new Promise<void>((resolve) => {
    let source: EventSource | null = null;
    let lost: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const stopWaiting = () => {
      clearTimeout(lost);
      lost = undefined;
    };
    const open = () => {
      tell({ state: 'connecting' });
      source = new EventSource(url);
      source.addEventListener('open', () => {
        stopWaiting();
        tell({ state: 'live' });
      });
      source.addEventListener('message', ({ data }: MessageEvent<string>) =>
        tell({ entry: JSON.parse(data) as Entry }),
      );
      for (const name of names) source.addEventListener(name, () => tell({ named: name }));
      source.addEventListener('resync', () => tell('resync'));
      // The browser fires this at each failed reconnection; only the first one counts.
      source.addEventListener('error', () => {
        if (source?.readyState === EventSource.CLOSED) {
          stopWaiting();
          tell({ state: 'off' });
          again = setTimeout(open, againAfter);
        } else if (lost === undefined) {
          tell({ state: 'connecting' });
          lost = setTimeout(() => tell({ state: 'lost' }), lostAfter);
        }
      });
    };
    open();
    signal.addEventListener('abort', () => {
      stopWaiting();
      clearTimeout(again);
      source?.close();
      resolve();
    });
  });
}
