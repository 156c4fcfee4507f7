import { AtelierError, throwUnreachable } from './error.ts';
import { csrf, idempotent, long, version } from './generated/routes.ts';
import type { ErrorResponse, Me } from './generated/types.gen.ts';

export const wait = (seconds: number, signal?: AbortSignal | null) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    // Removed afterwards, because one signal may outlive many waits.
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });

/** Whether a request is for one of these routes of the service. */
function oneOf(routes: string[], baseUrl: string): (request: Request) => boolean {
  const base = new URL(`${baseUrl}/`, globalThis.location?.href).pathname.slice(0, -1);
  const patterns = routes.map((route) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`));
  return ({ method, url }) => {
    const { pathname } = new URL(url);
    const path = `${method} ${pathname.slice(base.length)}`;
    return pathname.startsWith(base) && patterns.some((pattern) => pattern.test(path));
  };
}

/** Another program at this address, or a wrong address. */
function refuseForeign(answer: Response, { method }: Request): void {
  const { status, type, headers } = answer;
  const redirected = type === 'opaqueredirect' || (status >= 300 && status < 400);
  const isPage = answer.ok && (headers.get('content-type')?.startsWith('text/html') ?? false);
  if (!redirected && !isPage) return;
  const message = redirected
    ? `The address redirects ${method} requests. They are not sent on.`
    : 'The address answers with a page of HTML, not as Atelier does.';
  throw new AtelierError(status, { message, action: 'Check the address of the service.' });
}

export const defaultRetries = 3;

export type Patience = {
  /** Undefined: 3, and a 503 with `Retry-After` for as long as `maxWaitSeconds`. */
  retries: number | undefined;
  maxWaitSeconds: number;
  timeoutSeconds: number;
  /** The caller's. Copies of a request can lose their signal to the garbage collector. */
  signal?: AbortSignal | undefined;
};

/** Seconds that the service may take longer where it waits for something to happen. */
const longer = 10;

/** Browsers set their own. */
const userAgent = typeof document === 'undefined' ? `atelier-client/${version}` : null;

/** Sends once. The timeout covers the whole body, but of a stream only its start. */
async function sendOnce(send: typeof fetch, request: Request, seconds: number, signal?: AbortSignal): Promise<Response> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const stop = () => ended.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const message = `The service did not answer within ${seconds} seconds.`;
  const timer = setTimeout(() => ended.abort(new AtelierError(0, { message })), Math.min(seconds * 1000, 2 ** 31 - 1));
  const copy = request.clone();
  let streams = false;
  try {
    const answer = await send(copy, { signal: ended.signal }).catch(throwUnreachable);
    refuseForeign(answer, request);
    streams = /^(?:text\/event-stream|application\/x-ndjson)/.test(answer.headers.get('content-type') ?? '');
    if (streams) return answer;
    const body = await answer.arrayBuffer().catch(throwUnreachable);
    return new Response(body.byteLength > 0 ? body : null, answer);
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    clearTimeout(timer);
    if (!streams) signal?.removeEventListener('abort', stop);
  }
}

/**
 * Repeats a request when that is safe: always after a rate limit; after a 503 or a lost connection only GET,
 * PUT and requests with an Idempotency-Key. Waits as `Retry-After` says, or about 0.5, 1, 2 … seconds. Gives
 * up if that is longer than `maxWaitSeconds`. Where nobody set `retries`, a 503 with `Retry-After` is
 * repeated for as long, so that a service whose database fails over is waited for.
 */
export function persistent(send: typeof fetch, baseUrl: string): (patience: Patience) => typeof fetch {
  const [takesKey, mayWait] = [oneOf(idempotent, baseUrl), oneOf(long, baseUrl)];
  return ({ retries: most, maxWaitSeconds, timeoutSeconds, signal }) =>
    async (input, init) => {
      const original = new Request(input, init);
      // A redirect must not take the body elsewhere.
      const request = original.method === 'GET' ? original : new Request(original, { redirect: 'manual' });
      if (userAgent && !request.headers.has('user-agent')) request.headers.set('user-agent', userAgent);
      if (takesKey(request) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      const repeatable = ['GET', 'PUT'].includes(request.method) || request.headers.has('idempotency-key');
      const timeout = timeoutSeconds + (mayWait(request) ? longer : 0);
      const [began, retries] = [performance.now(), most ?? defaultRetries];
      const fits = (seconds: number) => (performance.now() - began) / 1000 + seconds <= maxWaitSeconds;
      for (let tried = 0; ; tried++) {
        const answer = await sendOnce(send, request, timeout, signal).catch((error: unknown) => {
          if (signal?.aborted) throw signal.reason;
          const isLost = error instanceof AtelierError && error.status === 0;
          if (!isLost || !repeatable || tried >= retries) throw error;
          return null;
        });
        const again = answer === null || answer.status === 429 || (answer.status === 503 && repeatable);
        const named = Number(answer?.headers.get('retry-after'));
        const passes = answer?.status === 503 && most === undefined && named > 0 && fits(named);
        if (answer && (!again || (tried >= retries && !passes) || named > maxWaitSeconds)) return answer;
        // Random, so that clients do not come back together.
        const drawn = Math.min(0.5 * 2 ** tried, maxWaitSeconds) * (0.5 + Math.random());
        await wait(named > 0 ? named + Math.random() / 4 : drawn, signal);
      }
    };
}

const codeOf = async (answer: Response): Promise<string | undefined> =>
  ((await answer.clone().json().catch(() => ({}))) as Partial<ErrorResponse>).error?.code;

/** Adds `x-service-csrf-token` for cookie sessions. Reads the token once, and again if it is refused. */
export function withCsrfToken(baseUrl: string): (send: typeof fetch, sendShared: typeof fetch) => typeof fetch {
  const wantsToken = oneOf(csrf, baseUrl);
  // Shared by concurrent requests. A response means that there is no token.
  let pendingToken: Promise<string | Response> | null = null;
  const askToken = async (send: typeof fetch) => {
    const me = await send(new Request(`${baseUrl}/api/v1/me`));
    return me.ok ? (((await me.json()) as Me).csrf_token ?? '') : me;
  };
  return (send, sendShared) => async (input, init) => {
    const request = new Request(input, init);
    const { headers } = request;
    if (!wantsToken(request) || headers.has('authorization') || headers.has('x-service-csrf-token')) return send(request);
    for (let fresh = false; ; ) {
      if (pendingToken === null) fresh = true;
      const mine = (pendingToken ??= askToken(sendShared));
      const forget = () => {
        if (pendingToken === mine) pendingToken = null;
      };
      const token = await mine.catch((error: unknown) => {
        forget();
        throw error;
      });
      if (typeof token !== 'string') {
        forget();
        return token.clone();
      }
      const sent = request.clone();
      if (token !== '') sent.headers.set('x-service-csrf-token', token);
      const answer = await send(sent);
      if (answer.status !== 403 || (await codeOf(answer)) !== 'csrf_token_invalid') return answer;
      forget();
      if (fresh) return answer;
    }
  };
}
