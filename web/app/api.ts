import {
  MutationCache,
  type MutateOptions,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { Atelier, AtelierError } from '../../client/atelier.ts';
import { firstReads } from './first-reads.ts';
import type { Input, Operation, Output } from './reads.ts';
import { serviceIsBack } from '../ui/page/line.ts';

export type * from '../../client/generated/types.gen.ts';
export type * from './reads.ts';
export { Atelier, AtelierError };

/** Requests whose answer depends on the session's account, not only on the person. */
const ofAccount = /^\/api\/(v1\/|checkout\/|auth\/(members|account$|invitations$|notifications))/;
let account: string | null = null;

/** Tabs share a session, so requests name the account that this page is for. */
export const actFor = (id: string) => {
  account = id;
};

const send: typeof fetch = (input, init) => {
  const request = new Request(input, init);
  if (account !== null && ofAccount.test(new URL(request.url).pathname))
    request.headers.set('x-service-account', account);
  return fetch(request);
};

export const api = new Atelier({ url: location.origin, retries: 1, maxWaitSeconds: 2, fetch: send });

const call = async <K extends Operation>(operation: K, input: object) =>
  (api[operation].bind(api) as unknown as (input: object) => Promise<Output<K>>)(input);

export const readOperation = async <K extends Operation>(operation: K, input: Input<K>, signal: AbortSignal) =>
  ((await underWay(operation, input)) as Output<K> | undefined) ?? call(operation, { ...input, signal });

/** A first read that is still running. Its answer is used once. */
function underWay(operation: Operation, input: object): Promise<unknown> | undefined {
  const key = JSON.stringify(input);
  const at = firstReads.findIndex(({ read }) => read.operation === operation && JSON.stringify(read.input) === key);
  return at === -1 ? undefined : firstReads.splice(at, 1)[0]?.answer;
}

export const operationQuery = <K extends Operation>(operation: K, input = {} as Input<K>) =>
  queryOptions<Output<K>, AtelierError>({
    queryKey: [operation, input],
    queryFn: ({ signal }) => readWhole(operation, input, signal),
  });

type Page = { next_cursor: string | null };
/** Whether an answer is one of several pages of a list. Without `limit` the whole list is wanted. */
export const isPart = (input: { query?: object }, answer: object): answer is Page =>
  !('limit' in (input.query ?? {})) && 'next_cursor' in answer && answer.next_cursor !== null;

/** The answer of an operation; of a list without `limit` with the rows of all its pages. */
async function readWhole<K extends Operation>(operation: K, input: Input<K>, signal: AbortSignal): Promise<Output<K>> {
  const answer = await readOperation(operation, input, signal);
  const pages: object[] = [answer];
  for (let page: object = answer; isPart(input, page); pages.push(page)) {
    const query = { ...(input as { query?: object }).query, limit: 100, cursor: page.next_cursor };
    page = await readOperation(operation, { ...input, query }, signal);
  }
  if (pages.length === 1) return answer;
  const [field] = Object.entries(answer).find(([, value]) => Array.isArray(value)) ?? [''];
  const rows = pages.flatMap((page) => (page as Record<string, unknown[]>)[field] ?? []);
  return { ...answer, [field]: rows, next_cursor: null };
}

export type Sent<K extends Operation> = Input<K> & { idempotencyKey?: string };

/**
 * Refreshes all pages and tabs. Ignores a second click on the same subject while it runs. `done` runs even if
 * the page has changed meanwhile, unlike the callbacks of `mutate`.
 */
export function useOperation<K extends Operation>(operation: K, done?: (output: Output<K>) => void) {
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<Output<K>, AtelierError, Sent<K>>({
    mutationKey: [operation],
    mutationFn: ({ idempotencyKey, ...input }) =>
      call(operation, { ...input, ...(idempotencyKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}) }),
    onSuccess: (output) => done?.(output),
    onSettled: (_data, _error, input) => void underWay.current.delete(subjectOf(input)),
  });
  const mutate = (input: Sent<K>, options?: MutateOptions<Output<K>, AtelierError, Sent<K>>) => {
    if (underWay.current.has(subjectOf(input))) return;
    underWay.current.add(subjectOf(input));
    mutation.mutate(...([input, options] as Parameters<typeof mutation.mutate>));
  };
  return { ...mutation, mutate };
}

/** What a mutation is about: several rows of a list can change at the same time. */
const subjectOf = (input: object): string => JSON.stringify('path' in input ? input.path : null);

/** Operations of signing in, whose 401 is about the form. */
const entering: unknown[] = [
  'signIn',
  'signUp',
  'resetPassword',
  'verifyEmail',
  'readSession',
  'readMe',
  'readInvitation',
  'acceptOperatorInvitation',
  'readConnection',
  'readDevice',
];

const tabs = new BroadcastChannel('atelier-changes');
type Handlers = { lost: () => void; changed: () => void };
let handlers: Handlers | null = null;

/** Called when the session has ended, or has another account or role. */
export const whenSession = (newHandlers: Handlers) => {
  handlers = newHandlers;
};

const noticeSession = (error: Error, operation: unknown) => {
  if (!(error instanceof AtelierError)) return;
  if (error.status === 401 && !entering.includes(operation)) handlers?.lost();
  if (error.code === 'account_changed' || error.code === 'role_required') handlers?.changed();
};

const isUnreachable = (error: unknown) => error instanceof AtelierError && error.code === 'unreachable';

let waitingForService = false;

/** Failed reads run again once the service is reachable. */
async function readWhenBack(): Promise<void> {
  if (waitingForService) return;
  waitingForService = true;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await serviceIsBack();
  waitingForService = false;
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) });
}

/** Afterwards the page is left, so a refresh would be useless. */
const leaving: unknown[] = [
  'switchAccount',
  'openAccount',
  'leaveAccount',
  'acceptInvitation',
  'acceptOperatorInvitation',
  'signOut',
  'viewAccount',
  'endAccountView',
];

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      noticeSession(error, query.queryKey[0]);
      if (isUnreachable(error)) void readWhenBack();
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _input, _context, mutation) => noticeSession(error, mutation.options.mutationKey?.[0]),
    onSuccess: (_data, _input, _context, mutation) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
      tabs.postMessage('changed');
      // Not awaited: what follows must run even if the new state removes the button.
      if (!leaving.includes(mutation.options.mutationKey?.[0])) void refreshAll();
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 2_000,
      networkMode: 'always',
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Milliseconds for which data that seldom changes is fresh. */
const fresh = { readSession: 30_000, readMe: 30_000, listPlans: 60_000, readCatalog: 300_000 };
for (const [operation, staleTime] of Object.entries(fresh)) queryClient.setQueryDefaults([operation], { staleTime });

/** Refreshes everything on the page that can change without a deployment. */
const refreshAll = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !['readCatalog', 'listPlans'].includes(String(queryKey[0])),
  });

tabs.addEventListener('message', () => void refreshAll());
