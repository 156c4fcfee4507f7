import { type RawBuilder, sql } from 'kysely';
import { type OperatorRight, rolesWith } from '../../contract/desk/operator-roles.ts';
import { downloadUrlSeconds } from '../../contract/files/file.ts';
import { archiveBounds } from '../../contract/files/library.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { isFinal } from '../jobs/last-delivery.ts';
import { isLive } from '../keys/review-link.ts';
import { workerKeyEnd } from '../keys/worker-key.ts';
import type { Signer } from '../lib/signer.ts';
import { disposition, downloadName } from './download-name.ts';
import { expiry } from './file.ts';
import { signQuery } from './signed-url.ts';

/** Who downloads. A `viewer` is an operator who views the account. */
type Holder = 'member' | 'key' | 'viewer' | 'guest' | 'operator' | 'worker';

/** What the URL of an archive names. `final`: last deliveries of completed jobs. Null: all files of a job. */
export type Archive = {
  holder: Holder;
  holderId: string;
  accountId: string;
  jobIds: readonly string[];
  round: number | 'final' | null;
};

const keyOf = ({ holder, holderId, accountId, jobIds, round }: Archive): string =>
  `archives/${[holder, holderId, accountId, round === 'final' ? pack(jobIds) : jobIds[0], round ?? 'all'].join('.')}`;

/** The signature of the key must have been checked. */
export function archiveOf(key: string): Archive {
  const [holder = '', holderId = '', accountId = '', jobs = '', round] = key.slice('archives/'.length).split('.');
  const of = { holder: holder as Holder, holderId, accountId };
  if (round === 'final') return { ...of, jobIds: unpack(jobs), round };
  return { ...of, jobIds: [jobs], round: round === 'all' ? null : Number(round) };
}

/** A hundred ids in 2,134 characters: proxies take addresses of at least 4,096. */
const pack = (ids: readonly string[]): string =>
  Buffer.from(ids.join('').replaceAll('-', ''), 'hex').toString('base64url');
const unpack = (packed: string): string[] => Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? [];

export const isAtDesk = ({ holder }: Archive): boolean => holder === 'operator' || holder === 'worker';

const may =
  (right: OperatorRight) =>
  ({ holderId }: Archive) =>
    sql<boolean>`exists (select from people p
      where p.id = ${holderId} and p.operator_role = any(${rolesWith(right)}::text[]))`;

/** Whether the holder still has the right to the archive, which may take an hour to send. */
const rights: Record<Holder, (archive: Archive) => RawBuilder<boolean>> = {
  member: ({ accountId, holderId }) =>
    sql`exists (select from members m where m.account_id = ${accountId} and m.user_id = ${holderId})`,
  key: ({ accountId, holderId }) => sql`exists (select from api_keys k where k.account_id = ${accountId}
    and k.id = ${holderId} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`,
  guest: ({ accountId, holderId }) => sql`exists (select from review_links link
    where link.account_id = ${accountId} and link.id = ${holderId} and ${isLive})`,
  viewer: may('note_accounts'),
  operator: may('work'),
  worker: ({ accountId, jobIds, holderId }) => sql`exists (select from worker_keys k
    join jobs j on j.account_id = ${accountId} and j.id = ${jobIds[0]} and j.worker_key_id = k.id
      and j.held_since is not null
    where k.id = ${holderId} and ${workerKeyEnd} is null)`,
};

/** The files that its holder may have now, deliveries first. None once the right has ended. */
export function filesOf(db: Db, archive: Archive) {
  const { holder, accountId, jobIds, round } = archive;
  // The view has the columns of the table, without what customers do not see.
  return db
    .selectFrom((isAtDesk(archive) ? 'files as file' : 'visible_files as file') as 'files as file')
    .innerJoin('jobs as job', (join) => join.on('job.account_id', '=', accountId).onRef('job.id', '=', 'file.job_id'))
    .select(['file.id', 'object_key', 'file_name', 'content_type', 'purpose', 'uploaded_by', 'round'])
    .select(['job.id as job_id', 'job.customer_title'])
    .select(sql<Date>`uploaded_at`.as('uploaded_at'))
    .select(sql<number>`coalesce(stored_bytes, declared_bytes)::int`.as('bytes'))
    .where('file.account_id', '=', accountId)
    .where('file.job_id', '=', sql<string>`any(${jobIds}::uuid[])`)
    .where('file.status', '=', 'uploaded')
    .where(rights[holder](archive))
    .$if(holder === 'guest', (files) => files.where('released_at', 'is not', null))
    .$if(round === 'final', (files) => files.where(isFinal(accountId, 'file')))
    .$if(typeof round === 'number', (files) =>
      files
        .where('round', '=', Number(round))
        .where('uploaded_by', '=', 'studio')
        .where('purpose', '=', 'job_deliverable'),
    )
    .orderBy(sql`array_position(${jobIds}::uuid[], job.id)`)
    .orderBy('round')
    .orderBy('position')
    .orderBy('uploaded_at')
    .orderBy('file.id');
}

export type ArchivedFile = Awaited<ReturnType<ReturnType<typeof filesOf>['executeTakeFirstOrThrow']>>;

export type ArchiveParts = { db: Db; signer: Signer; catalog: Catalog; publicUrl: string };

/** The caller must have checked access. */
export async function signArchive({ db, signer, catalog, publicUrl }: ArchiveParts, archive: Archive) {
  const { accountId, jobIds } = archive;
  const job = await db
    .selectFrom('jobs')
    .select(['customer_title', sql<Date>`now()`.as('now')])
    .where('account_id', '=', accountId)
    .where('id', '=', jobIds[0] ?? null)
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  const files = await filesOf(db, archive).execute();
  if (files.length === 0) throw nothingIn(archive);
  const size_bytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  refuseTooMuch(archive, size_bytes);
  const title = `${titleOf(archive, job.customer_title)}.zip`;
  const saved = disposition(title, 'application/zip', catalog.fileTypes);
  const expires_at = expiry(job.now, downloadUrlSeconds);
  const key = keyOf(archive);
  const query = signQuery(signer, archiveTerms(key, String(Date.parse(expires_at) / 1000), saved));
  const url = `${publicUrl}/storage/${key}?${query}&disposition=${encodeURIComponent(saved)}`;
  return {
    download: { method: 'GET' as const, url, expires_at },
    file_name: downloadName(title, 'application/zip', catalog.fileTypes),
    files: files.length,
    size_bytes,
  };
}

function titleOf({ round, jobIds }: Archive, title: string): string {
  if (round === 'final' && jobIds.length > 1) return `Library, ${jobIds.length} jobs`;
  return typeof round === 'number' ? `${title}, delivery ${round + 1}` : title;
}

function nothingIn({ round }: Archive): Refusal {
  const of = typeof round === 'number' ? `Delivery ${round + 1} of the job` : 'The job';
  if (round === 'final') return new Refusal('file_not_found', { message: 'None of these jobs has a file any more.' });
  return new Refusal('file_not_found', {
    message: `${of} has no file to put into an archive.`,
    action: 'Leave out `round` for all files of the job, or wait for its first delivery.',
  });
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/** One job always fits: a broken download of more would begin anew. */
function refuseTooMuch({ round, jobIds }: Archive, bytes: number): void {
  if (round !== 'final' || jobIds.length === 1 || bytes <= archiveBounds.bytes) return;
  throw new Refusal('limit_reached', {
    message: `These ${jobIds.length} jobs have ${gigabytes(bytes)}; one zip of several jobs holds ${gigabytes(archiveBounds.bytes)}.`,
    action: 'Ask for each job by itself, or for fewer jobs.',
  });
}

/** The version before this one knows no archives of several jobs: their signature does not hold there. */
export const archiveTerms = (key: string, expires: string, saved: string) => ({
  method: 'GET' as const,
  key,
  expires,
  signedValues: key.endsWith('.final') ? [saved, 'final'] : [saved],
});
