import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listAccounts as endpoint } from '../../contract/desk.ts';
import { usable } from '../entitlements/entitlement.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { cutPage, readCursor, writeCursor } from '../db/cursor.ts';
import type { Signer } from '../lib/signer.ts';

type Row = {
  id: string;
  name: string;
  created_at: Date;
  owner_email: string | null;
  plan_codes: string[];
  active_jobs: number;
};

/** All accounts, newest first, with their plans and how busy they are. */
export async function listAccounts(
  db: Db,
  signer: Signer,
  graceHours: number,
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const limit = query.limit ?? 25;
  const scope = ['listAccounts'];
  const from = readCursor(signer, scope, query.cursor);
  const { rows } = await sql<Row>`
    select a.id, a.name, a.created_at, c.active_jobs,
      (select u.email from auth.member m join auth.user u on u.id = m.user_id
        where m.account_id = a.id and m.role = 'owner' order by m.created_at, m.id limit 1) as owner_email,
      array(select e.code from entitlements e join entitlement_periods p on p.entitlement_id = e.id
        where e.account_id = a.id and ${usable(graceHours)} order by e.code) as plan_codes
    from auth.account a join account_counters c on c.account_id = a.id
    where ${from === null ? sql`true` : sql`(a.created_at, a.id) < (${from.at}, ${from.id}::uuid)`}
    order by a.created_at desc, a.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(rows, limit, (last) =>
    writeCursor(signer, scope, { at: last.created_at, id: last.id }),
  );
  const accounts = page.map((row) => ({
    ...row,
    id: showId('acct', row.id),
    created_at: row.created_at.toISOString(),
  }));
  return { status: 200, body: { accounts, next_cursor } };
}
