import type { AnswerOf } from '../../contract/endpoint.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import type { preflightJob as endpoint } from '../../contract/jobs.ts';
import { showIntentCheck } from './check-intent.ts';
import { checkDraft } from './draft.ts';
import { missingRequirements } from '../requirements/find-answers.ts';
import type { Context } from '../context.ts';
import type { Request } from '../http/request.ts';
import { countedFor } from '../http/rate-subject.ts';
import type { Refusal } from '../http/refusal.ts';
import { kindOf } from '../http/caller.ts';
import { forecastAdmission } from './admission-statement.ts';

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
  { db, catalog, rates, graceHours }: Pick<Context, 'db' | 'catalog' | 'rates' | 'graceHours'>,
  { caller, body, ip }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { family, instructions } = checkDraft(catalog, body);
  const missing = missingRequirements(family, instructions);
  const forecast = await forecastAdmission(db, caller.accountId, kindOf(caller), graceHours);
  const tooMany = await rates.peek('create_job', countedFor(caller, ip));
  const blocking_reasons = [
    ...(caller.method === 'session' && !caller.emailVerified ? [blocked('email_unverified')] : []),
    ...(tooMany ? [limited(tooMany)] : []),
    ...forecast.reasons.map(blocked),
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
        usage: { used: forecast.used, quota: forecast.quota, remaining: forecast.quota_left, unit: forecast.unit },
        concurrency: {
          active_jobs: forecast.active_jobs,
          limit: forecast.concurrency_limit,
          remaining: forecast.slots_left,
          allowed: forecast.slots_left > 0,
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
