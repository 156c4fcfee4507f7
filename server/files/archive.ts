import { type RawBuilder, sql } from 'kysely';
import { type OperatorRight, rolesWith } from '../../contract/desk/operator-roles.ts';
import { downloadUrlSeconds } from '../../contract/files/file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { isLive } from '../keys/review-link.ts';
import { workerKeyEnd } from '../keys/worker-key.ts';
import type { Signer } from '../lib/signer.ts';
import { disposition, downloadName } from './download-name.ts';
import { expiry } from './file.ts';
import { signQuery } from './signed-url.ts';

/** Who downloads. A `viewer` is an operator who views the account. */
type Holder = 'member' | 'key' | 'viewer' | 'guest' | 'operator' | 'worker';

/** What the URL of an archive names. Without a round: all files of the job. */
export type Archive = {
  holder: Holder;
  holderId: string;
  accountId: string;
  jobId: string;
  round: number | null;
};

const keyOf = ({ holder, holderId, accountId, jobId, round }: Archive): string =>
  `archives/${[holder, holderId, accountId, jobId, round ?? 'all'].join('.')}`;

/** The signature of the key must have been checked. */
export function archiveOf(key: string): Archive {
  const [holder = '', holderId = '', accountId = '', jobId = '', round] = key.slice('archives/'.length).split('.');
  return { holder: holder as Holder, holderId, accountId, jobId, round: round === 'all' ? null : Number(round) };
}

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
  worker: ({ accountId, jobId, holderId }) => sql`exists (select from worker_keys k
    join jobs j on j.account_id = ${accountId} and j.id = ${jobId} and j.worker_key_id = k.id
      and j.held_since is not null
    where k.id = ${holderId} and ${workerKeyEnd} is null)`,
};

/** The files that its holder may have now, deliveries first. None once the right has ended. */
export function filesOf(db: Db, archive: Archive) {
  const { holder, accountId, jobId, round } = archive;
  // The view has the columns of the table, without what customers do not see.
  return db
    .selectFrom((isAtDesk(archive) ? 'files' : 'visible_files') as 'files')
    .select(['id', 'object_key', 'file_name', 'content_type', 'purpose', 'uploaded_by', 'round'])
    .select(sql<Date>`uploaded_at`.as('uploaded_at'))
    .select(sql<number>`coalesce(stored_bytes, declared_bytes)::int`.as('bytes'))
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .where('status', '=', 'uploaded')
    .where(rights[holder](archive))
    .$if(holder === 'guest', (files) => files.where('released_at', 'is not', null))
    .$if(round !== null, (files) =>
      files.where('round', '=', round).where('uploaded_by', '=', 'studio').where('purpose', '=', 'job_deliverable'),
    )
    .orderBy('round')
    .orderBy('position')
    .orderBy('uploaded_at')
    .orderBy('id');
}

export type ArchivedFile = Awaited<ReturnType<ReturnType<typeof filesOf>['executeTakeFirstOrThrow']>>;

export type ArchiveParts = { db: Db; signer: Signer; catalog: Catalog; publicUrl: string };

/** The caller must have checked access. */
export async function signArchive({ db, signer, catalog, publicUrl }: ArchiveParts, archive: Archive) {
  const { accountId, jobId, round } = archive;
  const job = await db
    .selectFrom('jobs')
    .select(['customer_title', sql<Date>`now()`.as('now')])
    .where('account_id', '=', accountId)
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (!job) throw new Refusal('job_not_found');
  const files = await filesOf(db, archive).execute();
  if (files.length === 0)
    throw new Refusal('file_not_found', {
      message: `${round === null ? 'The job' : `Delivery ${round + 1} of the job`} has no file to put into an archive.`,
      action: 'Leave out `round` for all files of the job, or wait for its first delivery.',
    });
  const title = `${job.customer_title}${round === null ? '' : `, delivery ${round + 1}`}.zip`;
  const saved = disposition(title, 'application/zip', catalog.fileTypes);
  const expires_at = expiry(job.now, downloadUrlSeconds);
  const key = keyOf(archive);
  const query = signQuery(signer, archiveTerms(key, String(Date.parse(expires_at) / 1000), saved));
  const url = `${publicUrl}/storage/${key}?${query}&disposition=${encodeURIComponent(saved)}`;
  return {
    download: { method: 'GET' as const, url, expires_at },
    file_name: downloadName(title, 'application/zip', catalog.fileTypes),
    files: files.length,
    size_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export const archiveTerms = (key: string, expires: string, saved: string) => ({
  method: 'GET' as const,
  key,
  expires,
  signedValues: [saved],
});
