import Type from 'typebox';
import { Instructions, Job, JobListItem, JobSummary, NewJob, Source, Status } from './job.ts';
import { type JobStatus, jobStatuses } from './moves.ts';
import { IntentCheck } from './catalog.ts';
import { JobEvent } from './events.ts';
import { endpoint } from './endpoint.ts';
import { Closed, Code, Count, Id, IdParams, NextAction, NextCursor, Nullable, page, RequestTime } from './shapes.ts';

const Moved = Closed(
  { job: Job, next_action: NextAction },
  { $id: 'MovedJob', description: 'The job after the change.' },
);

const CreatedJob = Closed(
  { job: JobSummary, next_action: NextAction },
  { $id: 'CreatedJob', description: 'The new job.' },
);

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

const jobErrors = { 404: ['job_not_found'] } as const;

const jobFilters = {
  service_family: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Family id.' })),
  source: Type.Optional(Source),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Jobs with exactly this `reference`.' }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Jobs whose title contains this text, in any case, or whose id it is.',
    }),
  ),
  created_after: Type.Optional(RequestTime('Created at this time or later.')),
  created_before: Type.Optional(RequestTime('Created before this time.')),
  updated_after: Type.Optional(RequestTime('Changed at this time or later: its `updated_at`.')),
};

export const listJobs = endpoint({
  operationId: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'List the jobs of the account',
  tool: {
    name: 'list_jobs',
    hint: 'read',
    title: 'List jobs',
    description: 'List jobs, newest first; with `updated_after` the oldest change first.',
    fields: {
      status: 'Only jobs with these statuses.',
      cursor: 'Of the last page.',
      updated_after: 'ISO 8601.',
      created_after: 'ISO 8601.',
      created_before: 'Exclusive.',
      q: 'Part of the title, or an id.',
    },
  },
  description:
    'Newest first by creation; with `updated_after` the oldest change first, by `updated_at`. `[created_after, created_before)` is half-open.',
  auth: 'caller',
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    ...jobFilters,
    ...page,
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(JobListItem), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const countJobs = endpoint({
  operationId: 'countJobs',
  method: 'GET',
  path: '/api/v1/jobs/counts',
  tag: 'Jobs',
  summary: 'Count the jobs of the account by status',
  description: 'With the filters of the list.',
  auth: 'caller',
  query: Closed(jobFilters),
  answers: {
    200: {
      description: 'A number for each status.',
      schema: Closed({
        counts: Closed(
          Object.fromEntries(jobStatuses.map((status) => [status, Count(`Jobs that are ${status}.`)])) as Record<
            JobStatus,
            ReturnType<typeof Count>
          >,
          { description: 'Jobs by status.' },
        ),
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

export const preflightJob = endpoint({
  operationId: 'preflightJob',
  method: 'POST',
  path: '/api/v1/jobs/preflight',
  tag: 'Jobs',
  summary: 'Check whether a draft could be created now',
  tool: { name: 'preflight_job', hint: 'read', title: 'Preflight a job' },
  description:
    'Verifies plan, quota, concurrency, rate policy and catalog intent. Writes nothing and consumes nothing.',
  auth: 'caller',
  scope: 'api:read',
  idempotent: 'by_nature',
  atOnce: 10,
  body: NewJob,
  answers: { 200: { description: 'The verdict.', schema: Closed({ preflight: Preflight }) } },
  errors: { 422: ['invalid_request', 'unsupported_service', 'unsafe_request'] },
});

const preferenceApplied = { 'Preference-Applied': '`return=representation` where the answer has the whole job.' };

export const createJob = endpoint({
  operationId: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Create a job',
  tool: {
    name: 'create_job',
    hint: 'write',
    repeat: 'by_key',
    description:
      'Create a job. Checks plan, quota and concurrency, and counts the job. A repeat with the same `idempotency_key` returns the same job.',
  },
  description:
    'Checks plan, quota and concurrency, and counts the job in the same transaction. Send an `Idempotency-Key`: a replay answers 200 with the same body and `Idempotent-Replayed: true`.',
  auth: 'caller',
  headers: { Prefer: { description: '`return=representation` to be answered the whole job.' } },
  idempotent: 422,
  body: NewJob,
  rate: 'create_job',
  location: '/api/v1/jobs/{job.id}',
  answers: {
    201: { description: 'Created and queued.', schema: CreatedJob, preferred: Moved, headers: preferenceApplied },
    200: {
      description: 'A replay of an earlier request with the same Idempotency-Key.',
      schema: CreatedJob,
      preferred: Moved,
      headers: preferenceApplied,
    },
  },
  errors: {
    403: ['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});

export const readJob = endpoint({
  operationId: 'readJob',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read a job with its events',
  tool: { name: 'get_job', hint: 'read', id: 'job_id' },
  description: 'With its files, deliveries and `allowed_actions`, and the reason of a rejection.',
  auth: 'caller',
  params: IdParams('job'),
  answers: { 200: { description: 'The job.', schema: Closed({ job: Job, events: Type.Array(JobEvent) }) } },
  errors: jobErrors,
});

export const listJobEvents = endpoint({
  operationId: 'listJobEvents',
  method: 'GET',
  path: '/api/v1/jobs/{id}/events',
  tag: 'Jobs',
  summary: 'List the events of a job',
  description:
    'The events of `GET /api/v1/events` that are about this job, with one difference: `seq` and `after` are the job’s own numbers, which count from 1, not those of the account. With `after` only those since then. To wait, ask `GET /api/v1/events` with `job_id` and `wait`.',
  auth: 'caller',
  params: IdParams('job'),
  query: Closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Only events with a greater `seq`, which is the number in this job.',
      }),
    ),
  }),
  answers: {
    200: { description: 'In the order of seq.', schema: Closed({ job_id: Id('job'), events: Type.Array(JobEvent) }) },
  },
  errors: { 400: ['invalid_request'], ...jobErrors },
});

export const approveJob = endpoint({
  operationId: 'approveJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/approve',
  tag: 'Jobs',
  summary: 'Approve a job that is ready for review',
  tool: { name: 'approve_job', hint: 'final', id: 'job_id' },
  description: 'Accepts the delivered work and ends the job. A second call is refused and changes nothing.',
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  answers: { 200: { description: 'The job is completed.', schema: Moved } },
  errors: { 400: ['invalid_request'], ...jobErrors },
});

export const cancelJob = endpoint({
  operationId: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  tag: 'Jobs',
  summary: 'Cancel a job',
  tool: { name: 'cancel_job', hint: 'final', id: 'job_id' },
  description: 'Returns the quota if the job is queued or accepted and nothing was ever submitted.',
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  answers: { 200: { description: 'The job is canceled.', schema: Moved } },
  errors: { ...jobErrors, 409: ['job_not_cancelable'], 422: ['invalid_request'] },
});

export const requestRevision = endpoint({
  operationId: 'requestRevision',
  method: 'POST',
  path: '/api/v1/jobs/{id}/revision',
  tag: 'Jobs',
  summary: 'Request a revision',
  tool: {
    name: 'request_revision',
    hint: 'write',
    repeat: 'by_state',
    id: 'job_id',
    fields: { customer_instructions: 'What to change.' },
  },
  description: 'Needs a job that is ready for review, a remaining round and an active plan. Costs no quota.',
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  body: Closed(
    { customer_instructions: Instructions },
    { examples: [{ customer_instructions: 'Make the letters rounder.' }] },
  ),
  answers: { 200: { description: 'The job goes back to the studio.', schema: Moved } },
  errors: {
    403: ['entitlement_required'],
    ...jobErrors,
    409: ['revision_unavailable'],
    422: ['invalid_request', 'unsafe_request'],
  },
});
