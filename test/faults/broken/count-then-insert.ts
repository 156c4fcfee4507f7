import { sql } from 'kysely';
import type { Candidate } from '../../../server/jobs/candidate.ts';
import type { Db } from '../../../server/db/pool.ts';
import { serveBroken } from './serve.ts';

type Plan = { code: string; quota: number; slots: number; used: number; jobs: number };

/** Counts, and then inserts: between the two another request may count. */
await serveBroken({
  context(context) {
    context.admit = async (_, draft) => {
      const plan = await count(context.db, draft.account_id);
      if (plan.used >= plan.quota) return { outcome: 'quota_exceeded' };
      if (plan.jobs >= plan.slots) return { outcome: 'concurrency_limit_exceeded' };
      await insert(context.db, draft, plan.code);
      return { outcome: 'admitted' };
    };
  },
});

async function count(db: Db, accountId: string): Promise<Plan> {
  const { rows } = await sql<Plan>`
    select e.code, e.quota, e.concurrency_limit as slots, p.used,
      (select count(*)::int from jobs where account_id = ${accountId}) as jobs
    from entitlements e join entitlement_periods p on p.account_id = e.account_id and p.entitlement_id = e.id
    where e.account_id = ${accountId}`.execute(db);
  return rows[0]!;
}

async function insert(db: Db, draft: Candidate, plan_code: string): Promise<void> {
  const { account_id, job_id: id, service_family, service_type, customer_title, customer_instructions } = draft;
  const { source, quality_review, auto_approval_hours, revisions_included, api_key_id } = draft;
  const order = { account_id, id, service_family, service_type, customer_title, customer_instructions, plan_code };
  const terms = { source, quality_review, auto_approval_hours, revisions_included, created_by_key: api_key_id };
  await db
    .insertInto('jobs')
    .values({ ...order, ...terms, status: 'queued' })
    .execute();
  await sql`update entitlement_periods set used = used + 1 where account_id = ${account_id}`.execute(db);
}
