import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { TestPerson } from './people.ts';
import type { Service } from './service.ts';
export async function grant(service: Service, person: TestPerson, tier: string) {
  const plan = service.house.catalog.plans.get(tier)!;
  const { code, name, access_kind, unit, quota, concurrency_limit } = plan;
  const { db } = service.house;
  const { id } = await db.insertInto('entitlements').values({ account_id: person.accountId, subscription: randomUUID(), code, name, access_kind, unit, quota, concurrency_limit, status: 'active', event_created_at: new Date(), event_rank: 0 }).returning('id').executeTakeFirstOrThrow();
  await sql`insert into entitlement_periods (entitlement_id, period_start, period_end, grant_created_at, grant_rank, anchor) values (${id}, date_trunc('second', now()), date_trunc('second', now()) + interval '30 days', now(), 0, now())`.execute(db);
}
