import { hoursAfter } from '../../contract/studio/business-time.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { preflightJob as endpoint } from '../../contract/jobs/preflight.ts';
import { showIntentCheck } from './check-intent.ts';
import { checkDraft, needOf } from './draft.ts';
import { missingRequirements } from '../requirements/find-suggestions.ts';
import { kindOf, type Request } from '../http/request.ts';
import { countedFor, type RateLimiter } from '../http/rate-limit.ts';
import type { Limit, RateName } from '../../contract/rates.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { refusalFor, wishTooEarly } from './admission.ts';
import { mustBeConfirmed } from './confirmation.ts';
import { forecastAdmission } from './admission-statement.ts';
import { unattachedFiles } from './job-file.ts';
import { type Catalog, withoutOptional } from '../catalog/catalog.ts';

const blocked = ({ code, message, action }: Refusal) => ({ code, message, action });

const limited = ({ code, message, headers }: Refusal) => ({
  code,
  message,
  action: `Wait ${headers['retry-after']} s, then create the job.`,
});

const incomplete = (lacking: string[]) => ({
  code: 'intake_incomplete' as const,
  message: `The instructions do not answer: ${lacking.join(', ')}.`,
  action: 'Add each as `label: answer` to customer_instructions. Create does not refuse a draft for this.',
});

export async function preflightJob(
  { db, catalog, rates, graceHours }: { db: Db; catalog: Catalog; rates: RateLimiter<RateName>; graceHours: number },
  { caller, body, ip }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { family, option, instructions, optional } = checkDraft(catalog, body);
  const missing = missingRequirements(family, instructions, option.id);
  const lacking = withoutOptional(family, missing);
  const kind = kindOf(caller);
  if (body.file_ids?.length) await unattachedFiles(db, caller.accountId, body.file_ids, 'as they are');
  const forecast = await forecastAdmission(db, caller.accountId, kind, graceHours);
  const delivery = hoursAfter(catalog.businessHours, forecast.at.getTime(), option.turnaround_hours);
  const wish = checkWish(optional.wanted_by, forecast.at, delivery);
  const refusals = await Promise.all(
    forecast.reasons.map((reason) =>
      refusalFor(db, caller.accountId, graceHours, reason, needOf({ family, option }, kind)),
    ),
  );
  const tooMany = await rates.peek('create_job', countedFor(caller, ip));
  const blocking_reasons = [
    ...(caller.method === 'session' && !caller.emailVerified ? [blocked(new Refusal('email_unverified'))] : []),
    ...(caller.suspendedSince ? [blocked(new Refusal('account_suspended'))] : []),
    ...(tooMany ? [limited(tooMany)] : []),
    ...refusals.map(blocked),
    ...(caller.ordersWait ? [blocked(mustBeConfirmed())] : []),
    ...(lacking.length > 0 ? [incomplete(lacking)] : []),
  ];
  const { account, key } = rates.policy.create_job;
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
        first_delivery_at: new Date(delivery).toISOString(),
        wanted_by: wish,
        rate_limit_policy: {
          route: 'POST /api/v1/jobs',
          account: showLimit(account) ?? { limit: 0, window_seconds: 0 },
          key: caller.method === 'api_key' ? showLimit(key) : null,
          checked_without_consuming: true,
        },
      },
    },
  };
}

function checkWish(wantedBy: string | null, at: Date, earliest: number) {
  if (wantedBy === null) return null;
  const wish = Date.parse(wantedBy);
  if (wish <= at.getTime()) throw wishTooEarly();
  return { fits: wish >= earliest, earliest: new Date(earliest).toISOString() };
}

const showLimit = (limit: Limit | undefined) =>
  limit ? { limit: limit.limit, window_seconds: limit.windowSeconds } : null;
