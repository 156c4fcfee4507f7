import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMe as endpoint } from '../../contract/plans/entitlements.ts';
import { type Caller, isReviewer, type Request } from '../http/request.ts';
import { csrfToken } from '../http/csrf.ts';
import { showId } from '../lib/id.ts';
import { runningPlans, serves } from './entitlement.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

export async function readMe(
  { db, signer, graceHours }: { db: Db; signer: Signer; graceHours: number },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const running = isReviewer(caller) ? [] : await runningPlans(db, caller.accountId, graceHours);
  const plans = running.filter(({ usable }) => usable);
  const codesOf = (some: typeof running) => [...new Set(some.map(({ plan_code }) => plan_code))];
  return {
    status: 200,
    body: {
      account: {
        id: showId('acct', caller.accountId),
        name: caller.accountName,
        suspended_since: caller.suspendedSince?.toISOString() ?? null,
      },
      ...identity(caller),
      role: caller.role,
      orders: caller.ordersWait ? 'confirmed' : 'direct',
      viewed_until: caller.method === 'session' ? (caller.view?.until.toISOString() ?? null) : null,
      scopes: [...caller.scopes],
      entitlement_summary: {
        active: plans.length > 0,
        dashboard_access: plans.some((plan) => serves(plan, 'human')),
        api_access: plans.some((plan) => serves(plan, 'agent')),
        plan_codes: codesOf(plans),
        paused: codesOf(running.filter(({ status }) => status === 'paused')),
        past_due: codesOf(running.filter(({ status }) => status === 'past_due')),
        plans: running.map(({ plan_code, status, status_detail, ends_at, paid_until, collection_paused }) => ({
          plan_code,
          status,
          status_detail,
          ends_at: ends_at?.toISOString() ?? null,
          paid_until: paid_until?.toISOString() ?? null,
          collection_paused,
        })),
      },
      ...(caller.method === 'session' && caller.byCookie ? { csrf_token: csrfToken(signer, caller.sessionId) } : {}),
    },
  };
}

function identity(caller: Caller) {
  if (caller.method === 'api_key') {
    const { app, prefix, method } = caller;
    const id = showId('key', caller.keyId);
    return {
      auth: app ? { method: 'app' as const, app: { id, name: app.name } } : { method, api_key: { id, prefix } },
    };
  }
  const { userId, name, email, method } = caller;
  return { user: { id: showId('user', userId), name, email }, auth: { method } };
}
