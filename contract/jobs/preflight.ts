import Type from 'typebox';
import { IntentCheck } from '../ordering/catalog.ts';
import { endpoint } from '../endpoint.ts';
import { draftToCheck, NewJob } from './new-job.ts';
import { Closed, Code, Count, Nullable, Timestamp } from '../shapes.ts';

const BlockingReason = Closed(
  {
    code: Type.Union([Code, Type.Literal('intake_incomplete')]),
    message: Type.String({ description: 'For people.' }),
    action: Type.String({ description: 'The suggested next step.' }),
  },
  { $id: 'BlockingReason', description: 'Something that stands between the draft and a job.' },
);

const RateLimit = Closed(
  { limit: Count('Requests per window.'), window_seconds: Count('Length of the window.') },
  { description: 'A rate limit.' },
);

const WishCheck = Closed(
  {
    fits: Type.Boolean({ description: 'Whether the first delivery is planned by then.' }),
    earliest: Timestamp('When the first delivery would be planned if the job were created now.'),
  },
  { $id: 'WishCheck', description: 'A wish against the turnaround of the service option.' },
);

const Preflight = Closed(
  {
    ready_to_create: Type.Boolean({ description: 'True exactly when there is no blocking reason.' }),
    blocking_reasons: Type.Array(BlockingReason, {
      description: 'Everything that create would refuse, and `intake_incomplete`, which create accepts.',
    }),
    intent_check: IntentCheck,
    usage: Closed(
      {
        used: Count('Jobs used.'),
        quota: Count('Jobs granted.'),
        remaining: Count('Never below zero.'),
        unit: Type.String({ description: 'What the quota counts, such as `job`.' }),
      },
      { description: 'The quota of the current period.' },
    ),
    concurrency: Closed(
      {
        active_jobs: Count('Jobs that have not ended.'),
        limit: Count('The sum over the active plans.'),
        remaining: Count('Never below zero.'),
        allowed: Type.Boolean({ description: 'Whether one more job can be active.' }),
      },
      { description: 'Jobs at once.' },
    ),
    first_delivery_at: Timestamp('When the first delivery would be planned if the job were created now.'),
    wanted_by: Nullable(
      WishCheck,
      'Whether the wish fits; null without one. It is no blocking reason: create accepts a wish that does not fit, and promises nothing.',
    ),
    rate_limit_policy: Closed(
      {
        route: Type.String({ description: 'The route the policy belongs to.' }),
        account: RateLimit,
        key: Nullable(RateLimit, 'The limit of the calling API key; null for sessions.'),
        checked_without_consuming: Type.Boolean({ description: 'Always true: preflight counts against nothing.' }),
      },
      { description: 'The rate limits of creating a job.' },
    ),
  },
  { $id: 'Preflight', description: 'Whether the draft could be created now.' },
);

export const preflightJob = endpoint({
  operationId: 'preflightJob',
  method: 'POST',
  path: '/api/v1/jobs/preflight',
  tag: 'Jobs',
  summary: 'Check whether a draft could be created now',
  tool: {
    name: 'preflight_job',
    hint: 'read',
    title: 'Preflight a job',
    description:
      'Check whether a draft could be created now, with the fields of create_job. Verifies plan, quota, concurrency, rate policy and catalog intent. Writes nothing and consumes nothing.',
    fields: draftToCheck,
    hides: ['reference', 'metadata'],
    omits: ['rate_limit_policy'],
    ui: 'order',
  },
  description:
    'Verifies plan, quota, concurrency, rate policy and catalog intent. Writes nothing and consumes nothing.',
  auth: 'caller',
  scope: 'api:read',
  idempotent: 'by_nature',
  atOnce: 10,
  body: NewJob,
  answers: { 200: { description: 'The verdict.', schema: Closed({ preflight: Preflight }) } },
  listed: [401],
  errors: { 422: ['invalid_request', 'unsupported_service', 'unsafe_request'] },
});
