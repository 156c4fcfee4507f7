import { type RawBuilder, sql } from 'kysely';
import { usable } from '../../entitlements/entitlement.ts';
import type { Db } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import { readId, showId } from '../../lib/id.ts';
import { showStanding, type StandingRow, standingOf } from '../../entitlements/standing.ts';

export type DeskAccountRow = {
  id: string;
  name: string;
  created_at: Date;
  imported_at: Date | null;
  owner_email: string | null;
  plan_codes: string[];
  paused: string[];
  past_due: string[];
  active_jobs: number;
  suspended_since: Date | null;
  suspension_reason: string | null;
  suspended_by: string | null;
  suspender_name: string | null;
  standing: StandingRow | null;
};

/** The accounts that `chosen` selects as `a`, newest first. */
export async function deskAccounts(
  db: Db,
  graceHours: number,
  chosen: RawBuilder<unknown>,
  atMost: number,
): Promise<DeskAccountRow[]> {
  const { rows } = await sql<DeskAccountRow>`
    select a.id, a.name, a.created_at, a.imported_at, c.active_jobs, a.suspended_since, a.suspension_reason, a.suspended_by,
      (select u.name from people u where u.id = a.suspended_by) as suspender_name,
      (select u.email from members m join people u on u.id = m.user_id
        where m.account_id = a.id and m.role = 'owner' order by m.created_at, m.id limit 1) as owner_email,
      array(select e.code from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
        where e.account_id = a.id and ${usable(graceHours)} order by e.code) as plan_codes,
      array(select distinct code from entitlements where account_id = a.id and status = 'paused' order by code) as paused,
      array(select distinct code from entitlements where account_id = a.id and status = 'past_due' order by code) as past_due,
      ${standingOf(graceHours)} as standing
    from accounts a join account_counters c on c.account_id = a.id
    where ${chosen}
    order by a.created_at desc, a.id desc limit ${atMost}`.execute(db);
  return rows;
}

export const showDeskAccount = ({
  suspended_since,
  suspension_reason: reason,
  suspended_by: by,
  suspender_name: name,
  standing,
  ...row
}: DeskAccountRow) => ({
  ...row,
  id: showId('acct', row.id),
  created_at: row.created_at.toISOString(),
  imported_at: row.imported_at?.toISOString() ?? null,
  standing: showStanding(standing),
  suspension:
    suspended_since === null || reason === null || by === null
      ? null
      : {
          since: suspended_since.toISOString(),
          reason,
          created_by: { kind: 'user' as const, id: showId('user', by), name: name ?? '' },
        },
});

export const unknownAccount = () =>
  new Refusal('account_not_found', {
    action: 'Check the account id; GET /api/operator/v1/accounts lists the accounts.',
  });

export function deskAccountUuid(id: string): string {
  const uuid = readId('acct', id);
  if (uuid === null) throw unknownAccount();
  return uuid;
}
