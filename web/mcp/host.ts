import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps';

/** What a tool answers: the body of its operation, or the error that the API gives. */
export type ToolAnswer<Body> = { body: Body; error: null } | { body: null; error: ToolError };
export type ToolError = { code: string; message: string };

type Params = Record<string, unknown>;
type Message = { id?: number | string; method?: string; params?: Params; result?: Params; error?: { message: string } };
type Listeners = {
  /** The arguments of the tool call that this page belongs to. */
  onInput?(args: Params): void;
  onResult(answer: ToolAnswer<never>): void;
};

/**
 * The program that shows this page. It makes the calls for the page, after asking its person:
 * MCP Apps, https://github.com/modelcontextprotocol/ext-apps. The official library alone has the size that
 * a page may have.
 */
export type Host = {
  can: McpUiHostCapabilities;
  call<Body>(name: string, args: Params): Promise<ToolAnswer<Body>>;
  openLink(url: string): void;
  /** Tells the model what its person did here. */
  tell(text: string): void;
  /** In the language and zone of the host. */
  sayTime(iso: string): string;
};

export async function connect({ onInput, onResult }: Listeners): Promise<Host> {
  let context: McpUiHostContext = {};
  const take = (more: McpUiHostContext) => {
    context = { ...context, ...more };
    applyContext(context);
  };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const request = listen({
    'ui/notifications/tool-input': (params) => onInput?.((params['arguments'] ?? {}) as Params),
    'ui/notifications/tool-result': (params) => void begun.then(() => onResult(readResult<never>(params))),
    'ui/notifications/tool-cancelled': () => void begun.then(() => onResult({ body: null, error: canceled })),
    'ui/notifications/host-context-changed': take,
  });
  const { hostCapabilities: can = {}, hostContext = {} } = (await request('ui/initialize', {
    appInfo: { name: 'atelier', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    protocolVersion: '2026-01-26',
  })) as { hostCapabilities?: McpUiHostCapabilities; hostContext?: McpUiHostContext };
  take(hostContext);
  send({ method: 'ui/notifications/initialized', params: {} });
  reportHeight();
  // Once the page has this host. Its result may have come before.
  setTimeout(begin);
  return {
    can,
    async call<Body>(name: string, args: Params): Promise<ToolAnswer<Body>> {
      const result = await request('tools/call', { name, arguments: args }).catch(({ message }: Error) => ({
        isError: true,
        content: [{ type: 'text', text: message }],
      }));
      return readResult<Body>(result);
    },
    openLink: (url) => void request('ui/open-link', { url }).catch(() => {}),
    tell(text) {
      const content = [{ type: 'text', text }];
      if (can.updateModelContext) void request('ui/update-model-context', { content }).catch(() => {});
    },
    sayTime: (iso) =>
      new Intl.DateTimeFormat(context.locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: context.timeZone,
      }).format(new Date(iso)),
  };
}

const canceled: ToolError = { code: 'canceled', message: 'The call was canceled.' };

/** The origin of a host is unknown to its pages. They send nothing that it may not see. */
const send = (message: object) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

/** Listens only to the host. Returns a function that sends a request and waits for its answer. */
function listen(handlers: Record<string, (params: Params) => void>) {
  const waiting = new Map<number | string, PromiseWithResolvers<Params>>();
  let last = 0;
  window.addEventListener('message', ({ source, data }: MessageEvent<Message | null>) => {
    if (source !== window.parent || typeof data !== 'object' || data === null) return;
    const { id, method, params = {}, result, error } = data;
    if (method !== undefined && id === undefined) return handlers[method]?.(params);
    if (method !== undefined) return answer(id, method);
    const { resolve, reject } = (id !== undefined && waiting.get(id)) || {};
    if (error) reject?.(new Error(error.message));
    else resolve?.(result ?? {});
  });
  return (method: string, params: Params): Promise<Params> => {
    const id = ++last;
    const answered = Promise.withResolvers<Params>();
    waiting.set(id, answered);
    send({ id, method, params });
    return answered.promise.finally(() => waiting.delete(id));
  };
}

/** Nothing is lost when the page goes: what was sent is stored by the service. */
function answer(id: number | string | undefined, method: string): void {
  if (method === 'ping' || method === 'ui/resource-teardown') return send({ id, result: {} });
  send({ id, error: { code: -32601, message: `There is no method ${method}.` } });
}

/** Hosts pass on data or text, or both. An error is only text. */
function readResult<Body>(result: Params): ToolAnswer<Body> {
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content?: { type: string; text?: string }[];
  };
  const text = content?.find(({ type }) => type === 'text')?.text ?? '';
  try {
    const value: unknown = structuredContent ?? JSON.parse(text);
    if (!isError) return { body: value as Body, error: null };
    if (isToolError(value)) return { body: null, error: value };
  } catch {
    // A host that refuses says so in its own words.
  }
  return { body: null, error: { code: 'host', message: text || 'The answer cannot be read.' } };
}

const isToolError = (value: unknown): value is ToolError =>
  typeof value === 'object' && value !== null && typeof (value as ToolError).message === 'string';

function applyContext({ theme, locale, safeAreaInsets }: McpUiHostContext): void {
  const root = document.documentElement;
  const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';
  if (locale) root.lang = locale;
  if (!safeAreaInsets) return;
  const { top, right, bottom, left } = safeAreaInsets;
  root.style.padding = `${top}px ${right}px ${bottom}px ${left}px`;
}

function reportHeight(): void {
  const report = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    send({ method: 'ui/notifications/size-changed', params: { height } });
  };
  new ResizeObserver(report).observe(document.documentElement);
}
