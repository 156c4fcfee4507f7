import type { AnswerOf } from '../../contract/endpoint.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import type { preflightJob as endpoint } from '../../contract/jobs.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { showIntentCheck } from './check-intent.ts';
import { checkDraft } from './draft.ts';
import { missingRequirements } from '../requirements/intent.ts';
import type { Request } from '../http/request.ts';
import { countedFor } from '../http/rate-subject.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Refusal } from '../http/refusal.ts';
import { forecast } from './admission.ts';
import { kindOf } from './candidate.ts';

const blocked = (code: ErrorCode) => ({ code, message: errors[code].message, action: errors[code].action });

const limited = ({ code, message, headers }: Refusal) => ({
  code,
  message,
  action: `Wait ${headers['retry-after']} s, then create the job.`,
});

const incomplete = (missing: string[]) => ({
  code: 'intake_incomplete' as const,
  message: `The instructions do not answer: ${missing.join(', ')}.`,
  action: 'Add each as `label: answer` to customer_instructions. Create does not refuse a draft for this.',
});

/** What create would say, asked of the same rule without locking, writing or consuming anything. */
export async function preflightJob(
  db: Db,
  catalog: Catalog,
  rates: RateLimiter<'create_job'>,
  graceHours: number,
  { caller, body, ip }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { family, instructions } = checkDraft(catalog, body);
  const missing = missingRequirements(family, instructions);
  const outlook = await forecast(db, caller.accountId, kindOf(caller), graceHours);
  const tooMany = await rates.peek('create_job', countedFor(caller, ip));
  const blocking_reasons = [
    ...(tooMany ? [limited(tooMany)] : []),
    ...outlook.reasons.map(blocked),
    ...(missing.length > 0 ? [incomplete(missing)] : []),
  ];
  const perAccount = rates.policy.create_job.account ?? { limit: 0, windowSeconds: 0 };
  return {
    status: 200,
    body: {
      preflight: {
        ready_to_create: blocking_reasons.length === 0,
        blocking_reasons,
        intent_check: showIntentCheck(family, missing),
        usage: { used: outlook.used, quota: outlook.quota, remaining: outlook.room, unit: outlook.unit },
        concurrency: {
          active_jobs: outlook.active_jobs,
          limit: outlook.concurrency_limit,
          remaining: outlook.free,
          allowed: outlook.free > 0,
        },
        rate_limit_policy: {
          route: 'POST /api/v1/jobs',
          account: { limit: perAccount.limit, window_seconds: perAccount.windowSeconds },
          checked_without_consuming: true,
        },
      },
    },
  };
}
