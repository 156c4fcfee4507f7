import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import { type PlanFacts, whyNotClosed } from '../../contract/plans/plan-words.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { existingPlans, showFacts } from '../entitlements/entitlement.ts';
import { showId } from '../lib/id.ts';
import { sayMoment } from '../lib/moment.ts';

export type AccountUse = {
  /** Those that exist at the provider. */
  plans: PlanFacts[];
  reviews: string[];
  open_jobs: number;
  other_members: number;
  api_keys: number;
  webhook_endpoints: number;
  files: number;
};

/** What prevents closing an account, and what closing it ends. */
export async function accountUse(db: Db | Trx, accountId: string, graceHours: number): Promise<AccountUse> {
  const { rows } = await sql<Omit<AccountUse, 'plans'>>`
    select
      array(select id::text from jobs where account_id = ${accountId} and status = 'ready_for_customer_review'
        order by created_at, id) as reviews,
      (select count(*)::int from jobs where account_id = ${accountId}
        and status in ('queued', 'accepted', 'running', 'needs_review')) as open_jobs,
      (select greatest(count(*)::int - 1, 0) from members where account_id = ${accountId}) as other_members,
      (select count(*)::int from api_keys where account_id = ${accountId} and revoked_at is null and app_client_id is null
        and (expires_at is null or expires_at > now())) as api_keys,
      (select count(*)::int from webhook_endpoints where account_id = ${accountId}) as webhook_endpoints,
      (select count(distinct object_key)::int from files where account_id = ${accountId} and status = 'uploaded') as files`.execute(
    db,
  );
  if (!rows[0]) throw new Error('A select without a table returns one row.');
  return { ...rows[0], plans: (await existingPlans(db, accountId, graceHours)).map(showFacts) };
}

export function useRefusal({ plans, reviews }: Pick<AccountUse, 'plans' | 'reviews'>): Refusal | null {
  const [plan] = plans.toSorted((first, other) => lastEnd(other) - lastEnd(first));
  if (plan)
    return new Refusal('account_in_use', {
      message: whyNotClosed({ ...plan, name: `the plan ${plan.name}` }, sayMoment),
      action:
        (plan.ends_at ?? null) === null
          ? `End it in the portal (POST /api/checkout/portal, page ${customerPages.plans}), then close the account.`
          : 'Close the account after that.',
    });
  const [job] = reviews;
  if (job === undefined) return null;
  return new Refusal('account_in_use', {
    message: 'A delivery is waiting for your review.',
    action: `Approve it first: ${customerPages.job.replace(':id', showId('job', job))}`,
  });
}

const lastEnd = ({ ends_at: end = null }: PlanFacts) => (end === null ? Infinity : Date.parse(end));
