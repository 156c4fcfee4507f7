import { type RawBuilder, sql } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import type { Static } from 'typebox';
import type { ReviewLink } from '../../contract/review/review-links.ts';
import type { ShowLink } from '../../contract/review/show-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Cause, Guest } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import type { KeyParts } from './key-finder.ts';

/** The leads of the tokens of guests. Configuration cannot give them to API keys. */
export const reviewTokenLead = 'atr';
export const showTokenLead = 'ats';

/** Whether a review link `link` works, by the clock of the database. */
export const isLive = sql<boolean>`(link.revoked_at is null and link.expires_at > now())`;

const status = sql<'active' | 'revoked' | 'expired'>`case
  when link.revoked_at is not null then 'revoked'
  when link.expires_at <= now() then 'expired'
  else 'active' end`;

/** Of comments and replies. */
const commentCount = (accountId: string, which = sql`true`) => sql<number>`(
  (select count(*)::int from job_comments c
    where c.account_id = ${accountId} and c.review_link_id = link.id and ${which})
  + (select count(*)::int from comment_replies r join job_comments c
      on c.account_id = ${accountId} and c.job_id = r.job_id and c.id = r.comment_id
    where r.account_id = ${accountId} and r.review_link_id = link.id and ${which}))`;

/** What an account may see of its links. Never the hash. */
const linksOf = (db: Db | Trx, accountId: string) =>
  db
    .selectFrom('review_links as link')
    .leftJoin('people as person', 'person.id', 'link.created_by_user')
    .leftJoin('api_keys as key', 'key.id', 'link.created_by_key')
    .where('link.account_id', '=', accountId)
    .select(['link.id', 'link.job_id', 'link.name', 'link.can_comment', 'link.created_by_user', 'link.created_by_key'])
    .select(['link.created_at', 'link.expires_at', 'link.opened_at', 'link.revoked_at', 'link.shown_jobs'])
    .select(['person.name as person_name', 'key.name as key_name', 'key.app_client_id', status.as('status')]);

export const showLinksOf = (db: Db | Trx, accountId: string) =>
  linksOf(db, accountId).where('link.shown_jobs', 'is not', null);

export const reviewLinksOf = (db: Db | Trx, job: { account_id: string; id: string }) =>
  linksOf(db, job.account_id)
    .where('link.job_id', '=', job.id)
    .where('link.shown_jobs', 'is', null)
    .select(commentCount(job.account_id).as('comment_count'))
    .select(commentCount(job.account_id, sql`c.sent_at is null`).as('unsent_comment_count'));

type LinkRow = Awaited<ReturnType<ReturnType<typeof showLinksOf>['executeTakeFirstOrThrow']>>;
type ReviewLinkRow = Awaited<ReturnType<ReturnType<typeof reviewLinksOf>['executeTakeFirstOrThrow']>>;

function showCreator(row: LinkRow): Static<typeof ReviewLink>['created_by'] {
  if (row.created_by_key !== null)
    return {
      kind: row.app_client_id === null ? 'api_key' : 'app',
      id: showId('key', row.created_by_key),
      name: row.key_name ?? '',
    };
  if (row.created_by_user === null) return null;
  return { kind: 'user', id: showId('user', row.created_by_user), name: row.person_name ?? '' };
}

const showCommon = (row: LinkRow) => ({
  id: showId('rvl', row.id),
  name: row.name,
  status: row.status,
  created_by: showCreator(row),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  opened_at: row.opened_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
});

export const showReviewLink = (row: ReviewLinkRow): Static<typeof ReviewLink> => ({
  ...showCommon(row),
  job_id: showId('job', row.job_id),
  can_comment: row.can_comment,
  comment_count: row.comment_count,
  unsent_comment_count: row.unsent_comment_count,
});

export const showShowLink = (row: LinkRow): Static<typeof ShowLink> => ({
  ...showCommon(row),
  job_ids: (row.shown_jobs ?? []).map((id) => showId('job', id)),
});

const nobody = Buffer.alloc(32);

/** Nothing is cached, so a revoked link stops working at once in every process. */
export async function findGuest(db: Db, { prefix, digest }: KeyParts): Promise<Guest | null> {
  const link = await db
    .selectFrom('review_links as link')
    .innerJoin('accounts as account', 'account.id', 'link.account_id')
    .select(['link.id', 'link.account_id', 'link.job_id', 'link.can_comment', 'link.secret_sha256'])
    .select('link.shown_jobs')
    .select('account.suspended_since')
    .where('link.prefix', '=', prefix)
    .where(isLive)
    .executeTakeFirst();
  const proven = timingSafeEqual(link?.secret_sha256 ?? nobody, digest);
  if (!link || !proven) return null;
  return {
    method: 'review_link',
    reviewLinkId: link.id,
    accountId: link.account_id,
    suspendedSince: link.suspended_since,
    jobId: link.job_id,
    canComment: link.can_comment,
    shownJobs: link.shown_jobs,
  };
}

/** Ends the live links for which `which` holds. */
async function revokeLinks(trx: Trx, which: RawBuilder<boolean>, cause: Cause): Promise<void> {
  const ended = await trx
    .updateTable('review_links as link')
    .set({ revoked_at: sql<Date>`now()` })
    .where(isLive)
    .where(which)
    .returning(['link.id', 'link.account_id', 'link.job_id'])
    .execute();
  const entries = ended.map(({ id, account_id, job_id }) => ({
    action: 'review_link.revoked' as const,
    subject: showId('rvl', id),
    accountId: account_id,
    details: { job_id: showId('job', job_id) },
  }));
  await appendAudit(trx, cause, ...entries);
}

const ofAccount = (accountId: string) => sql<boolean>`link.account_id = ${accountId}`;

const ofRevokedKey = sql<boolean>`exists (
  select from api_keys key where key.id = link.created_by_key and key.revoked_at is not null)`;

/** A link ends with the API key that made it. */
export const endLinksOfRevokedKeys = (trx: Trx, accountId: string, cause: Cause): Promise<void> =>
  revokeLinks(trx, sql<boolean>`${ofAccount(accountId)} and ${ofRevokedKey}`, cause);

/** Of keys in any accounts. */
export const endLinksOfKeys = (trx: Trx, keyIds: readonly string[], cause: Cause): Promise<void> =>
  revokeLinks(trx, sql<boolean>`link.created_by_key = any(${keyIds}::uuid[])`, cause);

type Lost = { accountId: string; userId: string; heir: string | null; since?: Date | undefined };

/** Revokes the links of somebody who leaves the account, or hands them to an `heir`. */
export async function endLinksOfPerson(
  trx: Trx,
  { accountId, userId, heir, since }: Lost,
  cause: Cause,
): Promise<void> {
  const theirs = sql<boolean>`(${ofAccount(accountId)} and link.created_by_user = ${userId}
    and link.created_at >= ${since ?? new Date(0)})`;
  if (heir === null) return revokeLinks(trx, theirs, cause);
  await trx.updateTable('review_links as link').set({ created_by_user: heir }).where(isLive).where(theirs).execute();
}

export const endAllLinks = (trx: Trx, accountId: string, cause: Cause): Promise<void> =>
  revokeLinks(trx, ofAccount(accountId), cause);
