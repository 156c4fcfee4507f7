import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { File, FileIds } from './files.ts';
import { customerActions, jobStatuses } from './moves.ts';
import { Closed, Code, Count, Cursor, Id, IdParams, Limit, NextCursor, Nullable, Timestamp } from './shapes.ts';

export const Status = Type.Enum([...jobStatuses], {
  $id: 'JobStatus',
  type: 'string',
  description: 'Customer-safe status (specification part 3). Polling stops at completed, rejected and canceled.',
});

/** No control characters: the title stands in lists, mails and file names. The bound is that of the trimmed title. */
const visible = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]';
const printable = '[^\\u0000-\\u001f\\u007f-\\u009f]';
export const Title = Type.String({
  minLength: 1,
  maxLength: 1_000,
  pattern: `^\\s*${visible}(?:${printable}{0,198}${visible})?\\s*$`,
  description: '1 to 200 code points after trimming, without control characters.',
  examples: ['Logo for a neighbourhood bakery'],
});
export const Instructions = Type.String({
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: '1 to 20,000 code points. Answered intake requirements go here, as `label: answer`.',
  examples: ['Target audience: families within two miles.\nBrand name: Rise Bakery.'],
});

const draft = {
  service_family: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A family id of the catalog.',
    examples: ['design'],
  }),
  service_type: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An option id of that family.',
    examples: ['logo'],
  }),
  customer_title: Title,
  customer_instructions: Instructions,
};
export const JobDraft = Closed(draft, { $id: 'JobDraft', description: 'A job not yet created.' });
export type Draft = Static<typeof JobDraft>;

const NewJob = Closed(
  { ...draft, file_ids: Type.Optional(FileIds) },
  { $id: 'NewJob', description: 'A draft, with uploaded files of the account that no job has yet.' },
);

export const JobLinks = Closed(
  {
    self: Type.String(),
    events: Type.String(),
    approve: Type.String(),
    cancel: Type.String(),
    revision: Type.String(),
  },
  { $id: 'JobLinks', description: 'Relative paths of this job.' },
);

export const JobSummary = Closed({ id: Id('job'), status: Status, links: JobLinks }, { $id: 'JobSummary' });

const listed = {
  ...JobSummary.properties,
  service_family: Type.String(),
  service_type: Type.String(),
  customer_title: Type.String(),
  source: Type.Enum(['api', 'dashboard', 'intake'], { type: 'string', description: 'Where the job came from.' }),
  entitlement_code: Type.String({ description: 'The plan that paid.' }),
  revisions: Closed({ used: Count('Rounds asked for.'), included: Count('Rounds that the service option includes.') }),
  allowed_actions: Type.Array(Type.Enum([...customerActions], { type: 'string' }), {
    description: 'What the customer may do now.',
  }),
  reason: Nullable(
    Closed({ code: Type.String(), message: Type.String() }),
    'Why the job was rejected; null in every other case.',
  ),
  created_at: Timestamp('When the job was created.'),
  updated_at: Timestamp('When anything of it last changed.'),
  status_changed_at: Timestamp('When it reached this status.'),
  due_at: Nullable(Timestamp('When the studio means to deliver first.')),
  review_due_at: Nullable(Timestamp('When the service approves for the customer; only while ready for review.')),
};
export const JobListItem = Closed(listed, { $id: 'JobListItem' });

export const IntentBrief = Closed(
  {
    version: Type.Integer({ minimum: 1, description: 'Counts from 1 with each message since the first brief.' }),
    ...draft,
    answered_requirements: Type.Array(Closed({ requirement: Type.String(), answer: Type.String() })),
    quality_signals: Type.Array(Type.String(), { description: 'What the studio will check the work against.' }),
    file_ids: Type.Array(Id('file'), { description: 'Files of the account that the customer named.' }),
  },
  { $id: 'IntentBrief', description: 'What an intake conversation proposes as a job.' },
);

export const Job = Closed(
  {
    ...listed,
    customer_instructions: Type.String(),
    revision_requests: Type.Array(
      Closed({
        round: Type.Integer({ minimum: 1 }),
        customer_instructions: Type.String(),
        created_at: Timestamp('When it was asked for.'),
      }),
      { description: 'What the customer asked to have changed, first round first.' },
    ),
    intent_brief: Nullable(IntentBrief, 'The brief of the intake conversation that the job came from.'),
    files: Type.Array(File, { description: 'What the customer attached and what was delivered, newest first.' }),
  },
  { $id: 'Job', description: 'A work request of the account (specification part 2).' },
);

export const eventTypes = [
  'job.created',
  'job.accepted',
  'job.started',
  'job.submitted',
  'job.returned',
  'job.ready_for_customer_review',
  'job.revision_requested',
  'job.approved',
  'job.auto_approved',
  'job.completed',
  'job.canceled',
  'job.rejected',
  'job.requeued',
  'job.file_attached',
  'job.deliverable_added',
] as const;

export const JobEvent = Closed(
  {
    id: Id('evt'),
    seq: Type.Integer({ minimum: 1, description: 'Counts from 1 per job, without gaps.' }),
    type: Type.Enum([...eventTypes], { type: 'string' }),
    status: Status,
    previous_status: Nullable(Status, 'Null for the first event.'),
    actor: Type.Enum(['customer', 'operator', 'worker', 'service'], { type: 'string' }),
    message: Type.String({ description: 'For the customer.' }),
    request_id: Type.String({ description: 'The request that caused it.' }),
    created_at: Timestamp('When it happened.'),
  },
  { $id: 'JobEvent', description: 'One customer-safe entry of the history of a job.' },
);

const Moved = Closed(
  { job: Job, next_action: Type.String({ description: 'Guidance: what to do next.' }) },
  { $id: 'MovedJob' },
);

const CreatedJob = Closed(
  { job: JobSummary, next_action: Type.String({ description: 'Guidance: what to do next.' }) },
  { $id: 'CreatedJob' },
);

const BlockingReason = Closed(
  {
    code: Type.Union([Code, Type.Literal('intake_incomplete')]),
    message: Type.String(),
    action: Type.String(),
  },
  { $id: 'BlockingReason' },
);

const Preflight = Closed(
  {
    ready_to_create: Type.Boolean({ description: 'True exactly when there is no blocking reason.' }),
    blocking_reasons: Type.Array(BlockingReason, {
      description: 'Everything create would refuse, and `intake_incomplete`, which create does not refuse.',
    }),
    usage: Closed({
      used: Count('Jobs used.'),
      quota: Count('Jobs granted.'),
      remaining: Count('Never below zero.'),
      unit: Type.String(),
    }),
    concurrency: Closed({
      active_jobs: Count('Jobs that have not ended.'),
      limit: Count('The sum over the active plans.'),
      remaining: Count('Never below zero.'),
      allowed: Type.Boolean(),
    }),
    rate_limit_policy: Closed({
      route: Type.String({ description: 'The route the policy belongs to.' }),
      account: Closed({ limit: Count('Requests per window.'), window_seconds: Count('Length of the window.') }),
      checked_without_consuming: Type.Boolean(),
    }),
  },
  { $id: 'Preflight' },
);

const jobErrors = { 404: ['job_not_found'] } as const;

export const listJobs = endpoint({
  operationId: 'listJobs',
  method: 'GET',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'List the jobs of the account',
  description: 'Newest first by creation. `[created_after, created_before)` is half-open.',
  auth: 'caller',
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    service_family: Type.Optional(Type.String({ maxLength: 100, description: 'Family id.' })),
    created_after: Type.Optional(Timestamp('Created at this time or later.')),
    created_before: Type.Optional(Timestamp('Created before this time.')),
    cursor: Type.Optional(Cursor),
    limit: Type.Optional(Limit),
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(JobListItem), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const preflightJob = endpoint({
  operationId: 'preflightJob',
  method: 'POST',
  path: '/api/v1/jobs/preflight',
  tag: 'Jobs',
  summary: 'Ask whether a draft could be created now',
  description:
    'Verifies plan, quota, concurrency, rate policy and catalog intent. Writes nothing and consumes nothing.',
  auth: 'caller',
  scope: 'api:read',
  body: JobDraft,
  answers: { 200: { description: 'The verdict.', schema: Closed({ preflight: Preflight }) } },
  errors: { 422: ['invalid_request', 'unsupported_service', 'unsafe_request'] },
});

export const createJob = endpoint({
  operationId: 'createJob',
  method: 'POST',
  path: '/api/v1/jobs',
  tag: 'Jobs',
  summary: 'Create a job',
  description:
    'Checks plan, quota and concurrency, and counts the job in the same transaction. Send an `Idempotency-Key`: a replay answers 200 with the same body and `Idempotent-Replayed: true`.',
  auth: 'caller',
  idempotent: 422,
  body: NewJob,
  rate: 'create_job',
  answers: {
    201: { description: 'Created and queued.', schema: CreatedJob },
    200: {
      description: 'A replay of an earlier request with the same Idempotency-Key.',
      schema: CreatedJob,
      headers: { 'Idempotent-Replayed': '`true` on a replay.' },
    },
  },
  errors: {
    403: ['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded'],
    404: ['file_not_found'],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request', 'idempotency_key_conflict'],
  },
});

export const readJob = endpoint({
  operationId: 'readJob',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read a job with its events',
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
  description: 'Poll with `after` set to the last `seq` you saw; stop at completed, rejected or canceled.',
  auth: 'caller',
  params: IdParams('job'),
  query: Closed({
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Only events with a greater seq.' }),
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
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  answers: { 200: { description: 'The job is completed.', schema: Moved } },
  errors: { 400: ['invalid_request'], ...jobErrors, 422: ['idempotency_key_conflict'] },
});

export const cancelJob = endpoint({
  operationId: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  tag: 'Jobs',
  summary: 'Cancel a job',
  description: 'Gives the quota back if the job is queued or accepted and nothing was ever submitted.',
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  answers: { 200: { description: 'The job is canceled.', schema: Moved } },
  errors: { ...jobErrors, 409: ['job_not_cancelable'], 422: ['invalid_request', 'idempotency_key_conflict'] },
});

export const requestRevision = endpoint({
  operationId: 'requestRevision',
  method: 'POST',
  path: '/api/v1/jobs/{id}/revision',
  tag: 'Jobs',
  summary: 'Ask for a revision',
  description: 'Needs a job that is ready for review, a round left and an active plan. Costs no quota.',
  auth: 'caller',
  idempotent: 400,
  params: IdParams('job'),
  body: Closed({ customer_instructions: Instructions }),
  answers: { 200: { description: 'The job goes back to the studio.', schema: Moved } },
  errors: {
    403: ['entitlement_required'],
    ...jobErrors,
    409: ['revision_unavailable'],
    422: ['invalid_request', 'unsafe_request', 'idempotency_key_conflict'],
  },
});
