/** How a stream is: `live` while it speaks, `lost` when connecting takes long, `off` where it is refused. */
export type StreamState = 'connecting' | 'live' | 'lost' | 'off';

/** How the stream is, the data of an entry, or that entries were missed which cannot be sent again. */
export type StreamMessage<Entry> = { state: StreamState } | { entry: Entry } | 'resync';

/** Milliseconds that a broken stream may be silent about, and until a refused one is tried again. */
const lostAfter = 10_000;
const againAfter = 30_000;

/**
 * Reads a stream once for all tabs of the browser: HTTP/1.1 has six connections for all of them. The tab that holds the
 * lock reads and tells the others; one that opens later asks how the stream is. Answers what ends it for this tab.
 */
export function shareStream<Entry>(url: string, onMessage: (message: StreamMessage<Entry>) => void): () => void {
  const end = new AbortController();
  const tabs = new BroadcastChannel(`atelier-stream ${url}`);
  let state: StreamState | null = null;
  const post = (message: StreamMessage<Entry> | 'how is it?') => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!end.signal.aborted) tabs.postMessage(message);
  };
  const tell = (message: StreamMessage<Entry>) => {
    if (typeof message === 'object' && 'state' in message) ({ state } = message);
    post(message);
    onMessage(message);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<StreamMessage<Entry> | 'how is it?'>) => {
    if (data !== 'how is it?') return onMessage(data);
    // Only the tab that reads knows.
    if (state) post({ state });
  });
  post('how is it?');
  navigator.locks
    .request(tabs.name, { signal: end.signal }, () => readStream(url, tell, end.signal))
    .catch(() => {
      // Given up before it was this tab's turn.
    });
  return () => {
    end.abort();
    tabs.close();
  };
}

/** Reads until the tab goes; a stream that was refused is tried again, and pages poll meanwhile. */
function readStream<Entry>(
  url: string,
  tell: (message: StreamMessage<Entry>) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
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
      source.addEventListener('resync', () => tell('resync'));
      // The browser comes here at each try to connect again: the first one counts.
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
