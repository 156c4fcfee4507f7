import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMe as endpoint } from '../../contract/entitlements.ts';
import type { Request } from '../http/request.ts';
import type { Caller, CallerKind } from '../http/caller.ts';
import { csrfToken } from '../http/csrf.ts';
import { showId } from '../lib/id.ts';
import { usablePlans } from './entitlement.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

/** Who is asking, with what authority, and what their account may use now. */
export async function readMe(
  { db, signer, graceHours }: { db: Db; signer: Signer; graceHours: number },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const plans = await usablePlans(db, caller.accountId, graceHours);
  const serves = (kind: CallerKind) => plans.some(({ access_kind }) => access_kind === kind || access_kind === 'both');
  return {
    status: 200,
    body: {
      account: { id: showId('acct', caller.accountId), name: caller.accountName },
      ...identity(caller),
      role: caller.role,
      scopes: [...caller.scopes],
      entitlement_summary: {
        active: plans.length > 0,
        dashboard_access: serves('human'),
        api_access: serves('agent'),
        codes: [...new Set(plans.map(({ code }) => code))],
      },
      ...(caller.method === 'session' && caller.byCookie ? { csrf_token: csrfToken(signer, caller.sessionId) } : {}),
    },
  };
}

function identity(caller: Caller) {
  if (caller.method === 'api_key')
    return { auth: { method: caller.method, api_key: { id: showId('key', caller.keyId), prefix: caller.prefix } } };
  const { userId, name, email, method } = caller;
  return { user: { id: showId('user', userId), name, email }, auth: { method } };
}
