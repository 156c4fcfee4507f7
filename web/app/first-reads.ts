import { customerPages, deskPages } from '../../contract/pages.ts';
import type { ReadDeskJobResponse, ReadJobResponse } from '../../client/generated/types.gen.ts';
import type { Input, Operation } from './operations.ts';

/**
 * What a page reads first, asked for while its scripts are still on their way: on a slow phone those take longer than a
 * second. This module runs as soon as it is there, before the app, which then finds the answers here.
 */
const paths = {
  readSession: '/api/auth/session',
  readMe: '/api/v1/me',
  readCatalog: '/api/v1/catalog',
  countJobs: '/api/v1/jobs/counts',
  listJobs: '/api/v1/jobs',
  readJob: '/api/v1/jobs/{id}',
  listEntitlements: '/api/v1/entitlements',
  countQueue: '/api/operator/v1/jobs/counts',
  listQueue: '/api/operator/v1/jobs',
  readDeskJob: '/api/operator/v1/jobs/{id}',
  listOperators: '/api/operator/v1/operators',
  listWorkerKeys: '/api/operator/v1/worker-keys',
} satisfies Partial<Record<Operation, string>>;

type Known = keyof typeof paths;
type Query = Record<string, string | number | boolean | readonly string[]>;
type Read = [operation: Known, input: { path?: { id: string }; query?: Query }];

const read = <K extends Known>(operation: K, input = {} as Input<K>) => [operation, input] as Read;

const signedIn = [read('readSession'), read('readMe')];
const customer = [...signedIn, read('countJobs'), read('readCatalog')];
const operator = [...signedIn, read('countQueue'), read('readCatalog')];

/** By the path of a page. The inputs are those that the page itself has, else its answers would not be found. */
const reads: Record<string, (id: string) => Read[]> = {
  [customerPages.home]: () => [
    ...customer,
    read('listJobs', { query: { status: ['ready_for_customer_review'], limit: 8 } }),
    read('listJobs', { query: { status: ['queued', 'accepted', 'running', 'needs_review'], limit: 8 } }),
    read('listEntitlements'),
  ],
  [customerPages.jobs]: () => [...customer, read('listJobs', { query: { limit: 50 } })],
  [customerPages.newJob]: () => customer,
  [customerPages.job]: (id) => [...customer, read('readJob', { path: { id } })],
  [deskPages.queue]: () => [
    ...operator,
    read('listQueue', {
      query: { status: ['queued', 'accepted', 'running'], parked: false, sort: 'due', limit: 100 },
    }),
    read('listOperators'),
    read('listWorkerKeys'),
  ],
  [deskPages.job]: (id) => [...operator, read('readDeskJob', { path: { id } })],
  [deskPages.figures]: () => operator,
};

function readsOf(path: string): Read[] {
  const [, before = '', last = ''] = /^(.*\/)([^/]+)$/.exec(path) ?? [];
  return reads[path]?.('') ?? reads[`${before}:id`]?.(last) ?? [];
}

type Started = { operation: Known; input: Read[1]; answer: Promise<unknown>; data?: unknown };

function start([operation, input]: Read): Started {
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  const path = paths[operation].replace('{id}', input.path?.id ?? '');
  // What fails, such as with a 401, is asked for again by the page, which knows what to say about it.
  const answer = fetch(query.length > 0 ? `${path}?${new URLSearchParams(query).toString()}` : path)
    .then((response): unknown => (response.ok ? response.json() : undefined))
    .catch(() => undefined)
    .then((data) => Object.assign(started, { data }).data);
  const started: Started = { operation, input, answer };
  return started;
}

export const firstReads = readsOf(location.pathname).map(start);

/** The picture that the page of a delivered job shows first: what its reader came for. */
let picture: HTMLImageElement | undefined;

type DeliveredJob = (ReadJobResponse | ReadDeskJobResponse)['job'];

function fetchPicture({ deliveries, files }: DeliveredJob, api: string): void {
  const delivered = deliveries.at(-1)?.file_ids ?? [];
  const first = files.find(({ id, content_type: type }) => delivered.includes(id) && type.startsWith('image/'));
  if (!first) return;
  picture = new Image();
  picture.src = `${api}/files/${first.id}/download`;
}

const loaded = new Promise((resolve) => addEventListener('load', resolve));
for (const { operation, answer } of firstReads)
  if (operation === 'readJob' || operation === 'readDeskJob')
    // Not before the scripts are there, which more is waiting for.
    void Promise.all([answer as Promise<{ job: DeliveredJob } | undefined>, loaded]).then(
      ([read]) => read && fetchPicture(read.job, operation === 'readJob' ? '/api/v1' : '/api/operator/v1'),
    );
