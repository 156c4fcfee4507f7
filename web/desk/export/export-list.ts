import type { ExportedList } from '../../../contract/desk/exported-lists.ts';
import { api, AtelierError, operationQuery, queryClient, readOperation } from '../../app/api.ts';
import type { ListOperation, ListRead } from '../../app/reads.ts';
import { columnsOf } from './columns.ts';
import { byteOrderMark, csv } from './csv.ts';

export type Exported = { list: ExportedList; read: ListRead<ListOperation> };

/** Milliseconds for a page at least: the other requests of the operator's pages share one limit with it. */
const pace = 150;
/** After so many pages their text leaves the memory of the page. */
const pagesPerPart = 20;

/** Of how many rows; null where they are not counted. */
type Tell = (rows: number, total: number | null) => void;

/** Reads all pages of a list into a file. Throws once it was stopped. */
export async function exportList(exported: Exported, signal: AbortSignal, tell: Tell): Promise<Blob> {
  const columns = Object.entries(columnsOf[exported.list]);
  let file = new Blob([byteOrderMark, csv([columns.map(([head]) => head)])]);
  let texts: string[] = [];
  let count = 0;
  const { limit: _, ...filters } = queryOf(exported.read);
  await api.startExport({ body: { list: exported.list, filters: queryText(filters) }, signal });
  const total = await totalOf(exported);
  tell(count, total);
  for await (const rows of pagesOf(exported.read, signal)) {
    texts.push(csv(rows.map((row) => columns.map(([, cell]) => cell(row)))));
    count += rows.length;
    tell(count, total);
    if (texts.length < pagesPerPart) continue;
    file = new Blob([file, ...texts]);
    texts = [];
  }
  return new Blob([file, ...texts], { type: 'text/csv' });
}

type Query = Record<string, string | string[] | boolean | number>;
const queryOf = ({ input }: ListRead<ListOperation>) => (input as { query?: Query }).query ?? {};

/** As the page shows it, or read once. Words are looked up page by page, so their matches are not counted. */
async function totalOf({ list, read }: Exported): Promise<number | null> {
  const { q, sort: _, limit: __, ...query } = queryOf(read);
  if (list !== 'jobs' || q !== undefined) return null;
  const reading = { ...operationQuery('countListedJobs', { query }), staleTime: Infinity };
  return queryClient.fetchQuery(reading).then(
    ({ total }) => total,
    () => null,
  );
}

async function* pagesOf(read: ListRead<ListOperation>, signal: AbortSignal) {
  const { operation, input } = read;
  const query = { ...queryOf(read), limit: 100 };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const from = performance.now();
    const page = await untilAllowed(
      () => readOperation(operation, { ...input, query: { ...query, ...(cursor ? { cursor } : {}) } }, signal),
      signal,
    );
    yield Object.values(page).find(Array.isArray) as unknown[];
    cursor = page.next_cursor;
    if (cursor !== null) await pause(from + pace - performance.now(), signal);
  }
}

/** Waits while the service asks for it: at the limit of requests, or when it is busy. */
async function untilAllowed<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;)
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof AtelierError) || (error.status !== 429 && error.status !== 503)) throw error;
      await pause((error.retryAfterSeconds ?? 5) * 1_000, signal);
    }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => (clearTimeout(timer), reject(signal.reason as Error));
    const timer = setTimeout(() => (signal.removeEventListener('abort', stop), resolve()), Math.max(0, milliseconds));
    signal.addEventListener('abort', stop, { once: true });
  });

/** Milliseconds after which a browser has surely begun to copy a file. */
const copied = 60_000;

export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), copied);
}

/** The filters of a list as the text of a query. */
export const queryText = (filters: Record<string, unknown>): string =>
  new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)])).toString();
