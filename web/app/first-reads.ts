import type { ReadDeskJobResponse, ReadJobResponse } from '../../client/generated/types.gen.ts';
import { readPaths } from '../../client/generated/read-paths.ts';
import type { AnyRead, Reads } from './reads.ts';
import { hasSignedOut } from './session/was-signed-in.ts';

/** Before a page's scripts, which take over a second on a slow phone. The app uses the answers. */
type Started = { read: AnyRead; answer: Promise<unknown>; data?: unknown };

export const firstReads: Started[] = [];

export function startReads<Page extends string>(
  paths: Record<Page, string>,
  pages: Partial<Record<Page, Reads>>,
  frame: Reads,
): void {
  const search = Object.fromEntries(new URLSearchParams(location.search));
  const open = Object.entries<Reads | undefined>(pages).find(([page]) => isAt(paths[page as Page]));
  const reads = open?.[1];
  if (!reads || hasSignedOut()) return;
  const place = { id: location.pathname.split('/').at(-1) ?? '', search };
  // A read shared by frame and page is one object.
  for (const read of new Set([...Object.values(frame(place)), ...Object.values(reads(place))]))
    if (read) firstReads.push(start(read));
}

const isAt = (path: string) => new RegExp(`^${path.replace(':id', String.raw`\w+`)}$`).test(location.pathname);

type Query = Record<string, string | number | boolean | readonly string[] | undefined>;
type Input = { path?: Record<string, string>; query?: Query };

function start(read: AnyRead): Started {
  const { path: names = {}, query = {} } = read.input as Input;
  const parameters = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((item) => [name, String(item)]),
  );
  const path = readPaths[read.operation].replace(/\{(\w+)\}/, (_, name: string) => names[name] ?? '');
  // The page repeats failed reads and shows their errors.
  const answer = fetch(parameters.length > 0 ? `${path}?${new URLSearchParams(parameters).toString()}` : path)
    .then((response): unknown => (response.ok ? response.json() : undefined))
    .catch(() => undefined)
    .then((data) => Object.assign(started, { data }).data);
  const started: Started = { read, answer };
  if (read.operation === 'readJob' || read.operation === 'readDeskJob')
    // Not before the scripts, which matter more.
    void Promise.all([answer as Promise<{ job: DeliveredJob } | undefined>, loaded]).then(
      ([job]) => job && fetchPicture(job.job, path.split('/jobs/')[0] ?? ''),
    );
  return started;
}

const loaded = new Promise((resolve) => addEventListener('load', resolve));

/** The first picture of a delivered job. */
let picture: HTMLImageElement | undefined;

type DeliveredJob = (ReadJobResponse | ReadDeskJobResponse)['job'];

function fetchPicture({ deliveries, files }: DeliveredJob, api: string): void {
  const delivered = deliveries.at(-1)?.file_ids ?? [];
  const main = files.find(({ id }) => id === delivered[0]);
  const first = files.find(({ id, content_type: type }) => delivered.includes(id) && type.startsWith('image/'));
  // Customers see posters, the main file first.
  const address = (api === '/api/v1' && main?.poster) || (first && `${api}/files/${first.id}/download`);
  if (!address) return;
  picture = new Image();
  picture.src = address;
}
