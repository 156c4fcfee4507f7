import { sql } from 'kysely';
import type { Message } from '../../contract/jobs/message.ts';
import { cutPage, readCursor } from '../db/cursor.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime } from '../db/time.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { seeMessages } from '../notifications/notification.ts';
import { findMessage, type MessageRow, messageColumns, type Party, showMessage } from './message.ts';

async function findMessages(db: Db | Trx, job: JobKey, limit: number, beforeId: string | null): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${messageColumns(job.account_id)} from job_messages m
    where m.account_id = ${job.account_id} and m.job_id = ${job.id}
      ${beforeId === null ? sql`` : sql`and m.id < ${beforeId}::uuid`}
    order by m.id desc limit ${limit}`.execute(db);
  return rows;
}

export const newestMessages = async (db: Db | Trx, job: JobKey, reader: Party, limit: number): Promise<Message[]> =>
  (await findMessages(db, job, limit, null)).map((row) => showMessage(row, reader));

/** A page of the thread of a job, newest first, with the reader's marks. */
export async function readThread(
  db: Db,
  signer: Signer,
  job: JobKey,
  reader: Party,
  { cursor, limit = 25 }: { cursor?: string; limit?: number },
) {
  const scope = [reader.side === 'customer' ? 'listMessages' : 'listDeskMessages', job.account_id, job.id];
  const from = readCursor(signer, scope, cursor);
  const rows = await findMessages(db, job, limit + 1, from?.id ?? null);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, (last) => ({
    at: new Date(isoTime(last.created_at)),
    id: last.id,
  }));
  return { messages: page.map((row) => showMessage(row, reader)), next_cursor, ...(await marksOf(db, job, reader)) };
}

type Marks = { read_message_id: string | null; following: boolean };

/** What the reader has read, and whether they follow the thread. */
async function marksOf(db: Db, job: JobKey, { side, userId }: Party): Promise<Marks> {
  if (userId === null) return { read_message_id: null, following: false };
  const { rows } = await sql<Marks>`
    select r.read_message_id, coalesce(r.following,
      (${side} = 'customer' and j.created_by_user = ${userId}::uuid)
      or (${side} = 'studio' and coalesce(j.operator_id = ${userId}::uuid, false))
      or exists (select from job_messages s
        where s.account_id = ${job.account_id} and s.job_id = j.id and s.user_id = ${userId} and s.author = ${side}), false) as following
    from jobs j
    left join job_readers r on r.account_id = ${job.account_id} and r.job_id = j.id and r.user_id = ${userId}
    where j.account_id = ${job.account_id} and j.id = ${job.id}`.execute(db);
  const { read_message_id = null, following = false } = rows[0] ?? {};
  return { read_message_id: read_message_id && showId('msg', read_message_id), following };
}

/** Stores the last message that a person has read. An earlier one than the stored one changes nothing. */
export async function markRead(trx: Trx, job: JobKey, userId: string, messageId: string): Promise<string> {
  const { id } = await findMessage(trx, job, messageId);
  const { rows } = await sql<{ read_message_id: string }>`
    insert into job_readers as r (account_id, job_id, user_id, read_message_id)
    values (${job.account_id}, ${job.id}, ${userId}, ${id})
    on conflict (account_id, job_id, user_id) do update
      set read_message_id = greatest(r.read_message_id, excluded.read_message_id)
    returning read_message_id`.execute(trx);
  if (!rows[0]) throw new Error('A mark was not stored.');
  await seeMessages(trx, userId, job);
  return showId('msg', rows[0].read_message_id);
}

export const follow = (trx: Trx, job: JobKey, userId: string, following: boolean) =>
  sql`
    insert into job_readers (account_id, job_id, user_id, following)
    values (${job.account_id}, ${job.id}, ${userId}, ${following})
    on conflict (account_id, job_id, user_id) do update set following = excluded.following`.execute(trx);

type Counts = { total: number; jobs: { job_id: string; unread: number }[] };

/** Unread messages of the last 30 days by job, the job with the latest message first. */
export async function unreadOf(db: Db, userId: string, accountId: string | null): Promise<Counts> {
  const mine =
    accountId === null
      ? sql`m.author = 'customer'`
      : sql`m.account_id = ${accountId} and m.author <> 'customer' and m.created_at > (
          select b.created_at from members b where b.account_id = ${accountId} and b.user_id = ${userId})`;
  const { rows } = await sql<{ job_id: string; unread: number; total: number }>`
    with recent as materialized (
      select m.account_id, m.job_id, m.id, m.created_at from job_messages m
      where ${mine} and m.created_at > now() - interval '30 days' and m.withdrawn_at is null)
    select m.job_id, count(*)::int as unread, (sum(count(*)) over ())::int as total
    from recent m
    left join job_readers r on r.account_id = ${accountId ?? sql`m.account_id`} and r.job_id = m.job_id and r.user_id = ${userId}
    where r.read_message_id is null or m.id > r.read_message_id
    group by m.account_id, m.job_id order by max(m.created_at) desc limit 100`.execute(db);
  return {
    total: rows[0]?.total ?? 0,
    jobs: rows.map(({ job_id, unread }) => ({ job_id: showId('job', job_id), unread })),
  };
}
