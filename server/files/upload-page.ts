import { sql } from 'kysely';
import { uploadPageMinutes } from '../../contract/files/file.ts';
import { customerPages } from '../../contract/pages.ts';
import { databaseTime, type Db, transact, type Trx } from '../db/pool.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import type { Caller, Cause } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { FileRow } from '../jobs/job-file.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import type { Signer } from '../lib/signer.ts';
import { digestOf } from '../mail/mail-token.ts';

/** Whether a page `page` works, by the clock of the database: it ends with the authority of its maker. */
const isLive = sql<boolean>`(page.expires_at > now() and (
  exists (select from api_keys k where k.id = page.created_by_key and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > now()))
  or exists (select from sessions s join members m on m.user_id = s.user_id and m.account_id = page.account_id
    where s.id = page.created_by_session and s.expires_at > now())))`;

const tokenOf = (signer: Signer, fileId: string, expiresAt: Date): string =>
  signer.sign('upload page', `${fileId} ${expiresAt.toISOString()}`);

type FileKey = { account_id: string; id: string };
type Dependencies = { db: Db; signer: Signer; publicUrl: string };

/** The address of the page for a pending file. It stays the same while it works; then there is a new one. */
export async function openUploadPage(
  { db, signer, publicUrl }: Dependencies,
  caller: Caller,
  file: FileKey,
): Promise<{ url: string; expires_at: string }> {
  const expiresAt = await transact(db, async (trx) => {
    await lockCaller(trx, caller);
    await lockFile(trx, file);
    return (await findExpiry(trx, signer, file)) ?? (await replacePage(trx, signer, caller, file));
  });
  const token = tokenOf(signer, file.id, expiresAt);
  return { url: `${publicUrl}${customerPages.upload}#${token}`, expires_at: expiresAt.toISOString() };
}

/** Of repeats at the same time, the first makes the page. */
const lockFile = (trx: Trx, { account_id, id }: FileKey) =>
  trx
    .selectFrom('files')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

/** Null also for a page whose token a replaced key made: it cannot be named again. */
async function findExpiry(trx: Trx, signer: Signer, { account_id, id }: FileKey): Promise<Date | null> {
  const { rows } = await sql<{ expires_at: Date; token_sha256: Buffer }>`
    select page.expires_at, page.token_sha256 from upload_pages page
    where page.account_id = ${account_id} and page.file_id = ${id} and ${isLive}`.execute(trx);
  const [page] = rows;
  if (!page || !digestOf(tokenOf(signer, id, page.expires_at)).equals(page.token_sha256)) return null;
  return page.expires_at;
}

async function replacePage(trx: Trx, signer: Signer, caller: Caller, { account_id, id }: FileKey): Promise<Date> {
  const expiresAt = new Date((await databaseTime(trx)).getTime() + uploadPageMinutes * 60_000);
  const page = {
    token_sha256: digestOf(tokenOf(signer, id, expiresAt)),
    created_by_key: caller.method === 'session' ? null : caller.keyId,
    created_by_session: caller.method === 'session' ? caller.sessionId : null,
    expires_at: expiresAt,
  };
  await trx
    .insertInto('upload_pages')
    .values({ account_id, file_id: id, ...page })
    .onConflict((earlier) => earlier.columns(['account_id', 'file_id']).doUpdateSet(page))
    .execute();
  return expiresAt;
}

type Page = {
  account_id: string;
  file_id: string;
  account_name: string;
  requested_by: string;
  expires_at: Date;
  user_id: string | null;
  key_id: string | null;
};

/** Unknown, ended and used pages look the same. */
export async function findUploadPage(db: Db | Trx, token: string): Promise<Page & { file: FileRow }> {
  const { rows } = await sql<Page>`
    select page.account_id, page.file_id, page.expires_at, page.created_by_key as key_id, session.user_id,
      account.name as account_name, coalesce(key.name, person.name) as requested_by
    from upload_pages page
    join accounts account on account.id = page.account_id
    left join api_keys key on key.id = page.created_by_key
    left join sessions session on session.id = page.created_by_session
    left join people person on person.id = session.user_id
    where page.token_sha256 = ${digestOf(token)} and account.suspended_since is null and ${isLive}`.execute(db);
  const [page] = rows;
  const file =
    page &&
    (await db
      .selectFrom('files')
      .selectAll()
      .where('account_id', '=', page.account_id)
      .where('id', '=', page.file_id)
      .where('status', '=', 'pending_upload')
      .executeTakeFirst());
  if (!file) throw new Refusal('upload_page_not_found');
  return { ...page, file };
}

/** The person who sends the file acts with the authority of the maker of the page. */
export const causeOfPage = ({ user_id, key_id }: Page, cause: Cause): Cause => ({
  ...cause,
  userId: user_id,
  apiKeyId: key_id,
});

export const deleteOldUploadPages = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteInBatches(
    db,
    sql`delete from upload_pages where token_sha256 in (
      select token_sha256 from upload_pages where expires_at < now() limit 1000 for update skip locked)`,
    stopped,
  );
