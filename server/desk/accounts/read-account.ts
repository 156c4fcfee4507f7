import { sql } from 'kysely';
import type { readAccount as endpoint } from '../../../contract/desk/accounts.ts';
import { findBrand, showJobBrand } from '../../brand/brand.ts';
import { importedPeopleOf, showImportedPerson } from '../../members/imported-person.ts';
import { takesStudioOrders } from '../../members/read-studio-orders.ts';
import { membersOf, showMember } from '../../members/member.ts';
import { readEntitlements, showEntitlement, usable } from '../../entitlements/entitlement.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { Db } from '../../db/pool.ts';
import { forecastAdmission } from '../../jobs/admission-statement.ts';
import { showId } from '../../lib/id.ts';
import { adjustmentsOf, chargeable, givableBack, showAdjustment } from '../../usage/quota-adjustment.ts';
import { type DeskAccountRow, deskAccounts, deskAccountUuid, showDeskAccount, unknownAccount } from './desk-account.ts';

export async function readAccount(
  { db, graceHours }: { db: Db; graceHours: number },
  { params }: Pick<Request<typeof endpoint>, 'params'>,
): Promise<AnswerOf<typeof endpoint>> {
  const uuid = deskAccountUuid(params.id);
  const [row] = await deskAccounts(db, graceHours, sql`a.id = ${uuid}`, 1);
  if (!row) throw unknownAccount();
  const { facts, files } = await findBrand(db, row.id);
  return {
    status: 200,
    body: {
      account: {
        ...showDeskAccount(row),
        ...(await countsOf(db, row.id)),
        studio_orders: await studioOrdersOf(db, row, graceHours),
        entitlements: await entitlementsOf(db, row.id, graceHours),
        quota_adjustments: (await adjustmentsOf(row.id, 50).execute(db)).rows.map(showAdjustment),
        note: await noteOf(db, row.id),
        brand: showJobBrand(facts, files),
        members: (await membersOf(db, row.id).execute()).map(showMember),
        imported_people: (await importedPeopleOf(db, row.id)).map(showImportedPerson),
      },
    },
  };
}

async function entitlementsOf(db: Db, accountId: string, graceHours: number) {
  const { rows } = await sql<{ id: string; give_back: number; charge: number }>`
    select e.id, ${givableBack(accountId)} as give_back, ${chargeable} as charge
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and ${usable(graceHours)}`.execute(db);
  const bounds = new Map(rows.map(({ id, ...adjustable }) => [id, adjustable]));
  const entitlements = await readEntitlements(db, accountId, graceHours);
  return entitlements.map((row) => ({ ...showEntitlement(row), adjustable: bounds.get(row.id) ?? null }));
}

/** In the order of the refusals of an order. */
async function studioOrdersOf(db: Db, { id, suspended_since }: DeskAccountRow, graceHours: number) {
  const allowed = await takesStudioOrders(db, id);
  const { reasons, quota_left, unit } = await forecastAdmission(db, id, 'human', graceHours);
  const plans = await sql<{ name: string }>`
    select e.name from entitlements e join entitlement_periods p on p.account_id = ${id} and p.entitlement_id = e.id
    where e.account_id = ${id} and e.access_kind in ('human', 'both') and ${usable(graceHours)}
    order by e.granted_at, e.id`.execute(db);
  return {
    allowed,
    refusals: [
      ...(suspended_since === null ? [] : (['account_suspended'] as const)),
      ...(allowed ? [] : (['studio_orders_off'] as const)),
      ...reasons,
    ],
    plan_names: plans.rows.map(({ name }) => name),
    quota_left,
    unit,
  };
}

type UseCounts = { jobs: number; active_keys: number; noted_minutes: number };

async function countsOf(db: Db, accountId: string): Promise<UseCounts> {
  const { rows } = await sql<UseCounts>`
    select (select count(*)::int from jobs where account_id = ${accountId}) as jobs,
      (select count(*)::int from api_keys where account_id = ${accountId} and revoked_at is null and app_client_id is null
        and (expires_at is null or expires_at > now())) as active_keys,
      (select coalesce(sum(minutes), 0)::int from job_times where account_id = ${accountId}) as noted_minutes`.execute(
    db,
  );
  return rows[0] ?? { jobs: 0, active_keys: 0, noted_minutes: 0 };
}

async function noteOf(db: Db, accountId: string) {
  const { rows } = await sql<{ body: string; updated_by: string; name: string; updated_at: Date }>`
    select n.body, n.updated_by, u.name, n.updated_at
    from account_notes n join people u on u.id = n.updated_by
    where n.account_id = ${accountId}`.execute(db);
  const [note] = rows;
  if (!note) return null;
  const { body, updated_by, name, updated_at } = note;
  return {
    body,
    created_by: { kind: 'user' as const, id: showId('user', updated_by), name },
    updated_at: updated_at.toISOString(),
  };
}
