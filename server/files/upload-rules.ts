import { type RawBuilder, sql } from 'kysely';
import { trialBounds } from '../../contract/files/file.ts';
import { isShown, maxFileBytes, otherNames } from '../../contract/files/file-types.ts';
import { isEnded, type JobStatus, takesMessages } from '../../contract/moves.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { endingOf, typeByEnding, unsupported } from './endings.ts';
import { unsafe } from '../safety/policy.ts';
import { hasUsablePlan, planRequired } from '../entitlements/entitlement.ts';
import { lockAccount, type Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';

type Types = Pick<Catalog, 'fileTypes'>;
type Wish = { purpose: string; content_type: string; size_bytes: number; file_name: string };

/** `TEXT/Plain; charset=utf-8` becomes text/plain. */
export const mediaType = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Types that programs send for any file. */
const unnamed = ['', 'application/octet-stream', 'binary/octet-stream', 'application/x-binary', 'application/unknown'];

/** The type that a declared one means. Windows with Excel calls a .csv by the type of its workbooks. */
export function declaredType(
  { fileTypes: others }: Types,
  { content_type, file_name }: Pick<Wish, 'content_type' | 'file_name'>,
): string {
  const type = mediaType(content_type);
  const ending = endingOf(file_name);
  if (type === 'application/vnd.ms-excel' && ending === 'csv') return 'text/csv';
  if (unnamed.includes(type)) return typeByEnding(others, ending) ?? type;
  if (isShown(type) || others.has(type)) return type;
  return otherNames.get(type) ?? [...others].find(([, { aliases }]) => aliases.includes(type))?.[0] ?? type;
}

export function uploadFault(catalog: Types, purposes: readonly string[], wish: Wish): Refusal | null {
  const { purpose, size_bytes, file_name } = wish;
  if (!purposes.includes(purpose))
    return new Refusal('unsupported_file', { message: `The purpose must be one of ${purposes.join(', ')}.` });
  const type = declaredType(catalog, wish);
  if (!isShown(type) && !catalog.fileTypes.has(type)) return unsupported(catalog, type, endingOf(file_name));
  if (size_bytes > maxFileBytes)
    return new Refusal('file_too_large', { message: `A file can have at most ${maxFileBytes} bytes (100 MiB).` });
  return unsafe([['/file_name', file_name]]);
}

/** A job that has ended takes only files for messages, for as long as it takes messages. */
export const jobEnded = (
  job: { status: JobStatus; status_changed_at: Date; imported_at: Date | null },
  purpose: string,
  at: Date,
): Refusal | null =>
  isEnded(job.status) &&
  !(
    job.imported_at === null &&
    purpose === 'job_reference' &&
    takesMessages(job.status, job.status_changed_at.getTime(), at.getTime())
  )
    ? badBody([{ location: '/job_id', message: `names a job that is ${job.status} and accepts no more files` }])
    : null;

/** Limits per account: uploads not yet completed, and bytes including those. */
export type FileLimits = { maxPendingUploads: number; maxStoredBytes: number; periodGraceHours: number };

const beyondTrial = (used: { files: number; bytes: number }, bytes: number): boolean =>
  used.files >= trialBounds.files || used.bytes + bytes > trialBounds.bytes;

async function needsPlan(trx: Trx, accountId: string, graceHours: number): Promise<Refusal> {
  const { message, action, details } = await planRequired(trx, accountId, graceHours, { purpose: 'files', kind: null });
  return new Refusal('entitlement_required', {
    message: `${message} Without an active plan your accounts can have at most ${trialBounds.files} uploads of ${trialBounds.bytes / 1024 ** 2} MiB together.`,
    action: `Delete an upload, or: ${action}`,
    details: details ?? [],
  });
}

/** Uploads and copies for viewing, once however many files share them: a job's copies of the brand kit do. */
const storedObjects = (of: RawBuilder<unknown>) => sql`(
  select object, upload, bool_or(pending) as pending, max(bytes) as bytes
  from files cross join lateral (values
    (coalesce(object_key, id::text), true, status = 'pending_upload', coalesce(stored_bytes, declared_bytes)),
    (viewing_key, false, false, viewing_bytes)) as part (object, upload, pending, bytes)
  where ${of} and uploaded_by = 'customer' and status in ('pending_upload', 'uploaded') and object is not null
  group by object, upload) as stored`;

/** Per owner, so that more accounts give no more space. Locks them against concurrent uploads. */
async function heldInTrials(
  trx: Trx,
  accountId: string,
  replaced: string | null,
): Promise<{ files: number; bytes: number }> {
  const owners = trx
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner');
  await trx.selectFrom('people').select('id').where('id', 'in', owners).orderBy('id').forNoKeyUpdate().execute();
  const { rows } = await sql<{ files: number; bytes: number }>`
    with trial as (
      select distinct other.account_id from members own
      join members other on other.user_id = own.user_id and other.role = 'owner'
      where own.account_id = ${accountId} and own.role = 'owner'
        and not exists (
          select from entitlements e where e.account_id = other.account_id and e.status <> 'canceled'))
    select count(*) filter (where upload)::int as files, coalesce(sum(bytes), 0)::float8 as bytes
    from ${storedObjects(sql`account_id in (select account_id from trial union select ${accountId}::uuid)
      and id is distinct from ${replaced}::uuid`)}`.execute(trx);
  return rows[0] ?? { files: 0, bytes: 0 };
}

/** Locks the account's counters first, so that concurrent uploads are counted. `replaced` is not. */
export async function storageLimitRefusal(
  trx: Trx,
  accountId: string,
  limits: FileLimits,
  bytes: number,
  replaced: string | null = null,
): Promise<Refusal | null> {
  await lockAccount(trx, accountId);
  const { rows } = await sql<{ pending: number; bytes: number }>`
    select count(*) filter (where pending)::int as pending, coalesce(sum(bytes), 0)::float8 as bytes
    from ${storedObjects(sql`account_id = ${accountId} and id is distinct from ${replaced}::uuid`)}`.execute(trx);
  const used = rows[0] ?? { pending: 0, bytes: 0 };
  const { maxPendingUploads, maxStoredBytes, periodGraceHours } = limits;
  if (
    !(await hasUsablePlan(trx, accountId, periodGraceHours)) &&
    beyondTrial(await heldInTrials(trx, accountId, replaced), bytes)
  )
    return needsPlan(trx, accountId, periodGraceHours);
  if (used.pending >= maxPendingUploads)
    return new Refusal('limit_reached', {
      message: `${used.pending} uploads of the account are not completed; it may have ${maxPendingUploads}.`,
      action: 'Complete those uploads, or delete them with DELETE /api/v1/files/{id}; they expire after a day.',
    });
  if (used.bytes + bytes > maxStoredBytes)
    return new Refusal('file_too_large', {
      message: `The account stores ${used.bytes} bytes and may store ${maxStoredBytes}; this file has ${bytes}.`,
      action: 'Upload a smaller file, or delete others with DELETE /api/v1/files/{id}.',
    });
  return null;
}
