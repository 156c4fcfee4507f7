import { type RawBuilder, sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { endGrantsOf } from './connected-app.ts';

type Row = {
  id: string;
  client_id: string;
  name: string;
  redirect_uris: string[];
  disabled: boolean;
  updated_at: Date | null;
  created_at: Date;
  registered_by: string;
  creator_name: string;
  connections: number;
};

/** Apps `c` that the studio registered and for which `which` holds, newest first. */
export async function studioApps(db: Db | Trx, which: RawBuilder<unknown>, limit = 1): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select c.id, c.client_id, c.name, c.redirect_uris, c.disabled, c.updated_at, c.created_at, c.registered_by,
      u.name as creator_name,
      (select count(*)::int from api_keys k
        where k.app_client_id = c.client_id and k.revoked_at is null and k.expires_at > now()) as connections
    from oauth_clients c join people u on u.id = c.registered_by
    where c.registered_by is not null and ${which}
    order by c.created_at desc, c.id desc limit ${limit}`.execute(db);
  return rows;
}

export const showStudioApp = (row: Row) => ({
  id: row.client_id,
  name: row.name,
  redirect_uris: row.redirect_uris,
  status: row.disabled ? ('ended' as const) : ('active' as const),
  connections: row.connections,
  created_by: { kind: 'user' as const, id: showId('user', row.registered_by), name: row.creator_name },
  created_at: row.created_at.toISOString(),
  ended_at: row.updated_at?.toISOString() ?? null,
});

/**
 * Ends active apps `c` with all their grants. Connecting an app locks its row, so no grant is made once
 * it has ended.
 */
export async function endStudioApps(trx: Trx, which: RawBuilder<unknown>, cause: Cause): Promise<void> {
  const { rows } = await sql<{ client_id: string; name: string }>`
    update oauth_clients c set disabled = true, updated_at = now()
    where c.registered_by is not null and not c.disabled and ${which}
    returning c.client_id, c.name`.execute(trx);
  const entries = rows.map(({ client_id, name }) => ({
    action: 'app.ended' as const,
    subject: client_id,
    accountId: null,
    details: { name },
  }));
  await appendAudit(trx, cause, ...entries);
  await endGrantsOf(
    trx,
    rows.map(({ client_id }) => client_id),
    cause,
  );
}
