import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Person } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { deviceOf } from './device.ts';

export const sessionsOf = (db: Db, { userId }: Person) =>
  db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_used_at', '>', sql<Date>`now() - interval '14 days'`)
    .select(['id', 'ip_address', 'user_agent', 'created_at', 'last_used_at', 'expires_at']);

type SessionRow = Awaited<ReturnType<ReturnType<typeof sessionsOf>['executeTakeFirstOrThrow']>>;

export const showSession = (row: SessionRow, { sessionId }: Person) => ({
  id: showId('sess', row.id),
  current: row.id === sessionId,
  device: deviceOf(row.user_agent),
  address: row.ip_address || null,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
