import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import { type Contradiction, contradictionOf, type Example, mostExamples } from './contradiction.ts';

const rule = {
  rule: 'An Idempotency-Key remembers the answer of a request that happened.',
  meaning: 'A repeated request is told of a job that does not exist. Delete the row, and tell the caller.',
};

type Row = { account_id: string | null; owner: string; route: string; key: string; status: number; job: string | null };

const pageSize = 5_000;

const tables = [
  { table: sql.id('idempotency_keys'), owner: sql.ref('account_id') },
  { table: sql.id('caller_idempotency_keys'), owner: sql.ref('caller_id') },
];

/** Page by page, because the id of the job is only in the text of the answer. */
export async function checkStoredAnswers(trx: Trx): Promise<Contradiction[]> {
  const examples: Example[] = [];
  let total = 0;
  for (const place of tables)
    for (let rows = await readPage(trx, place, null); rows.length > 0; rows = await nextPage(trx, place, rows)) {
      const faults = await faultsOf(trx, rows);
      total += faults.length;
      examples.push(...faults.slice(0, mostExamples - examples.length));
    }
  return contradictionOf(rule, total, examples);
}

type Place = (typeof tables)[number];

const nextPage = (trx: Trx, place: Place, rows: readonly Row[]): Promise<Row[]> =>
  rows.length < pageSize ? Promise.resolve([]) : readPage(trx, place, rows.at(-1) ?? null);

async function readPage(trx: Trx, { table, owner }: Place, after: Row | null): Promise<Row[]> {
  const from =
    after === null ? sql`` : sql`where (${owner}, route, key) > (${after.owner}::uuid, ${after.route}, ${after.key})`;
  const { rows } = await sql<Row>`
    select account_id, ${owner} as owner, route, key, status, answer #>> '{job,id}' as job
    from ${table} ${from} order by ${owner}, route, key limit ${pageSize}`.execute(trx);
  return rows;
}

async function faultsOf(trx: Trx, rows: readonly Row[]): Promise<Example[]> {
  const ids = rows.flatMap(({ job }) => (job === null ? [] : [readId('job', job)])).filter((id) => id !== null);
  const { rows: jobs } = await sql<{ id: string }>`
    select id from jobs where id = any(${[...new Set(ids)]}::uuid[])`.execute(trx);
  const existing = new Set(jobs.map(({ id }) => id));
  return rows.flatMap(({ account_id, route, key, status, job }) => {
    const subject = `key ${key} of ${route}`;
    const account = account_id && showId('acct', account_id);
    if (status === 0) return [{ account_id: account, subject, fault: 'has no answer' }];
    if (job === null || existing.has(readId('job', job) ?? '')) return [];
    return [{ account_id: account, subject, fault: `answers with ${job}, which does not exist` }];
  });
}
