import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { LibraryJob, listLibrary as endpoint } from '../../contract/files/library.ts';
import type { LibraryView } from '../../contract/files/library-views.ts';
import type { JobStatus } from '../../contract/moves.ts';
import { type Catalog, refuseUnknownFamily } from '../catalog/catalog.ts';
import { cutPage, type Position, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type FileRow, showPoster } from '../jobs/job-file.ts';
import { hasBytes, isDelivered, lastRound } from '../jobs/last-delivery.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { brandName, isOwn, leavesAt, readFilters } from './filter.ts';
import { finishedAt, finishedJobs, isAfter } from './finished-jobs.ts';

const createdAt = sql<Date>`j.created_at`;
const approvedOrCreatedAt = sql<Date>`case j.status when 'completed' then j.status_changed_at else j.created_at end`;

/** How many files of a job a tile shows. */
const shownFiles = 3;

export async function listLibrary(
  { db, catalog, signer }: { db: Db; catalog: Catalog; signer: Signer },
  { caller: { accountId }, query: { view = 'approved', cursor, limit = 25, ...filters } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, filters.service_family);
  const { where, key } = readFilters(accountId, filters, view === 'approved' ? finishedAt : approvedOrCreatedAt);
  const scope = ['listLibrary', accountId, view, ...key];
  const terms = { where, before: readCursor(signer, scope, cursor), limit: limit + 1 };
  const jobs = view === 'approved' ? finishedJobs(accountId, terms) : jobsOf(accountId, view, terms);
  const rows = await readJobs(db, accountId, view, jobs);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, ({ at, id }) => ({ at, id }));
  const files = await readFiles(db, accountId, page);
  return { status: 200, body: { jobs: page.map((job) => showJob(job, files.get(job.id) ?? [])), next_cursor } };
}

const hasOwn = (accountId: string) => sql<boolean>`exists (
  select from files f where f.account_id = ${accountId} and f.job_id = j.id and ${isOwn})`;

const isIn: Record<Exclude<LibraryView, 'approved'>, (accountId: string) => RawBuilder<boolean>> = {
  studio: () => sql`j.ever_released`,
  mine: hasOwn,
  all: (accountId) => sql`(j.ever_released or ${hasOwn(accountId)})`,
};

const jobsOf = (
  accountId: string,
  view: keyof typeof isIn,
  { where, before, limit }: { where: RawBuilder<boolean>; before: Position | null; limit: number },
) => sql`
  select j.*, j.created_at as at from jobs j
  where j.account_id = ${accountId} and ${isIn[view](accountId)} and ${where}
    and ${isAfter(before, createdAt, sql`j.id`)}
  order by j.created_at desc, j.id desc limit ${limit}`;

type Row = {
  id: string;
  at: Date;
  customer_title: string;
  service_family: string;
  service_type: string;
  brand_name: string | null;
  status: JobStatus;
  status_changed_at: Date;
  imported_at: Date | null;
  /** Null: the files are uploads of the account. */
  round: number | null;
  file_count: number;
  size_bytes: number;
  kept_until: Date | null;
  gone_at: Date | null;
};

const isOfTile = sql<boolean>`case when t.round is null then ${isOwn} else ${isDelivered('f')} and f.round = t.round end`;

async function readJobs(db: Db, accountId: string, view: LibraryView, jobs: RawBuilder<unknown>): Promise<Row[]> {
  const round = view === 'mine' ? sql`null::int` : lastRound(accountId, sql`j.id`);
  const { rows } = await sql<Row>`
    select j.id, j.at, j.customer_title, j.service_family, j.service_type, ${brandName(accountId)} as brand_name, j.status,
      j.status_changed_at, j.imported_at, t.round, of.*
    from (${jobs}) j
    cross join lateral (select ${round} as round) t
    cross join lateral (
      select count(*) filter (where f.status = 'uploaded')::int as file_count,
        coalesce(sum(f.stored_bytes) filter (where f.status = 'uploaded'), 0)::float8 as size_bytes,
        min(nullif(${leavesAt}, 'infinity')) filter (where f.status = 'uploaded') as kept_until,
        max(f.deleted_at) as gone_at
      from files f where f.account_id = ${accountId} and f.job_id = j.id and ${isOfTile}) of
    order by j.at desc, j.id desc`.execute(db);
  return rows;
}

type TileFile = FileRow & { job_id: string };

async function readFiles(db: Db, accountId: string, page: readonly Row[]): Promise<Map<string, TileFile[]>> {
  const { rows } = await sql<TileFile>`
    select f.* from unnest(${page.map(({ id }) => id)}::uuid[], ${page.map(({ round }) => round)}::int[]) as t (id, round)
    cross join lateral (
      select * from files f
      where f.account_id = ${accountId} and f.job_id = t.id and ${hasBytes('f')} and ${isOfTile}
      order by f.position, f.uploaded_at, f.id limit ${shownFiles}) f
    order by f.position, f.uploaded_at, f.id`.execute(db);
  return Map.groupBy(rows, ({ job_id }) => job_id);
}

function showJob(job: Row, files: readonly TileFile[]): Static<typeof LibraryJob> {
  const { customer_title, service_family, service_type, brand_name, status, round, file_count, size_bytes } = job;
  return {
    job_id: showId('job', job.id),
    customer_title,
    service_family,
    service_type,
    brand_name,
    status,
    approved_at: status === 'completed' ? job.status_changed_at.toISOString() : null,
    imported_at: job.imported_at?.toISOString() ?? null,
    round,
    earlier_deliveries: round ?? 0,
    files: files.map((file) => ({
      id: showId('file', file.id),
      file_name: file.file_name,
      content_type: file.content_type,
      size_bytes: file.stored_bytes ?? file.declared_bytes,
      ...showPoster(file),
    })),
    file_count,
    size_bytes,
    kept_until: job.kept_until?.toISOString() ?? null,
    gone_at: file_count === 0 ? (job.gone_at?.toISOString() ?? null) : null,
  };
}
