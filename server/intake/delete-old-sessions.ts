import { sql } from 'kysely';
import { deleteByAccount } from '../db/delete-in-batches.ts';
import type { Db } from '../db/pool.ts';

type Session = { account_id: string; id: string };

/** A conversation that led to no job is deleted 180 days after the time until which it could be confirmed. */
const isOld = sql`s.status <> 'confirmed' and s.expires_at <= now() - interval '180 days'`;

export const deleteOldSessions = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteByAccount(
    db,
    sql<Session>`select s.account_id, s.id from intake_sessions s where ${isOld} limit 1000`,
    deleteSessionsOf,
    stopped,
  );

const deleteSessionsOf = (accountId: string, sessions: readonly Session[]) => sql`
  with old as (
    select s.id from intake_sessions s
    where s.account_id = ${accountId} and s.id = any(${sessions.map(({ id }) => id)}::uuid[]) and ${isOld}
    for update skip locked),
  messages as (
    delete from intake_messages m using old where m.account_id = ${accountId} and m.session_id = old.id)
  delete from intake_sessions s using old where s.account_id = ${accountId} and s.id = old.id`;
