import Type from 'typebox';
import { Revision } from '../review/comments.ts';
import { endpoint } from '../endpoint.ts';
import { JobEvent } from './events.ts';
import { Job, JobListItem, JobSummary, Source, Status } from './job.ts';
import { changedFields, NewJob, toolWords } from './new-job.ts';
import { optionalNames, sayFields } from './optional-fields.ts';
import { type JobStatus, jobStatuses } from '../moves.ts';
import { Closed, Count, Id, IdParams, NextAction, NextCursor, Nullable, page, RequestTime } from '../shapes.ts';

export const Moved = Closed(
  { job: Job, next_action: NextAction },
  { $id: 'MovedJob', description: 'The job after the change.' },
);

const CreatedJob = Closed(
  { job: JobSummary, next_action: NextAction },
  { $id: 'CreatedJob', description: 'The new job.' },
);

export const jobErrors = { 404: ['job_not_found'] } as const;

const jobFilters = {
  service_family: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Family id.' })),
  source: Type.Optional(Source),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Jobs with exactly this `reference`.' }),
  ),
  waiting_on: Type.Optional(
    Type.Literal('customer', { description: 'Jobs in which a question of the studio is open.' }),
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
    hides: ['include'],
    omits: ['cover', 'open_question', 'changes'],
  },
  description:
    'Newest first by creation; with `updated_after` the oldest change first, by `updated_at`. `[created_after, created_before)` is half-open.',
  auth: 'caller',
  reviewers: true,
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    ...jobFilters,
    include: Type.Optional(
      Type.Literal('work', { description: 'Also `cover`, `open_question` and `changes` of each job.' }),
    ),
    ...page,
  }),
  whileViewing: true,
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(JobListItem), next_cursor: NextCursor }) },
  },
  listed: [401],
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
  reviewers: true,
  query: Closed(jobFilters),
  whileViewing: true,
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
    fields: {
      customer_title: 'At most 200 characters.',
      ...toolWords(false),
    },
  },
  description:
    'Checks plan, quota and concurrency, and counts the job in the same transaction. Send an `Idempotency-Key`: a replay answers 200 with the same body and `Idempotent-Replayed: true`. Where an owner or admin has to confirm what you order, 403 `confirmation_required` names the page where they do; the same key then finds the order, and its job once it is confirmed.',
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
  listed: [429],
  errors: {
    403: [
      'entitlement_required',
      'quota_exceeded',
      'concurrency_limit_exceeded',
      'confirmation_required',
      'limit_reached',
    ],
    422: ['invalid_request', 'unsupported_service', 'unsafe_request'],
  },
});

export const readJob = endpoint({
  operationId: 'readJob',
  method: 'GET',
  path: '/api/v1/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read a job with its events',
  tool: {
    name: 'get_job',
    hint: 'read',
    id: 'job_id',
    title: 'Read a job',
    description:
      'Read a job with its files, deliveries and `allowed_actions`, the reason of a rejection, and the last revision with its comments.',
    fields: { events: '`all`: also its history; `last`: only its newest event.' },
    defaults: { events: 'none' },
    omits: ['request_id'],
    ui: 'review',
  },
  description:
    'With its files, deliveries and `allowed_actions`, the reason of a rejection, and the last revision with its comments.',
  auth: 'caller',
  reviewers: true,
  params: IdParams('job'),
  query: Closed({
    events: Type.Optional(
      Type.Enum(['none', 'last', 'all'], {
        type: 'string',
        default: 'all',
        description: 'Which of its events the answer has. A caller who follows events has read them already.',
      }),
    ),
  }),
  whileViewing: true,
  answers: {
    200: {
      description: 'The job.',
      schema: Closed({
        job: Job,
        events: Type.Array(JobEvent, { description: 'Its events, oldest first; those that `events` asks for.' }),
        next_action: Nullable(
          Type.String(),
          'What to do next: decide about a delivery, answer the questions of the studio, or wait; null once the job has ended.',
        ),
        revision: Nullable(Revision, 'The last requested revision with its comments; null before the first.'),
      }),
    },
  },
  errors: { 400: ['invalid_request'], ...jobErrors },
});

export const updateJob = endpoint({
  operationId: 'updateJob',
  method: 'PATCH',
  path: '/api/v1/jobs/{id}',
  tag: 'Jobs',
  summary: `Change the ${sayFields(optionalNames)} of a job`,
  tool: {
    name: 'update_job',
    hint: 'write',
    repeat: 'by_state',
    id: 'job_id',
    omits: ['files'],
    description: 'Change your own data of a job that has not ended. What is left out stays. No due date moves.',
    fields: toolWords(true),
  },
  description:
    'While the job has not ended. What the body leaves out stays, and null clears. `metadata` is replaced as a whole. Due dates are the studio’s: a changed wish moves none. Appends `job.updated`, which names the changed fields; if nothing changes, nothing is written.',
  auth: 'caller',
  idempotent: 422,
  rate: 'update_job',
  params: IdParams('job'),
  body: Closed(changedFields(optionalNames), {
    examples: [{ reference: 'PO-2026-114', metadata: { campaign: 'spring' } }],
  }),
  answers: { 200: { description: 'The job after the change.', schema: Closed({ job: Job }) } },
  errors: { ...jobErrors, 409: ['invalid_transition'], 422: ['invalid_request', 'unsafe_request'] },
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
  reviewers: true,
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
  whileViewing: true,
  answers: {
    200: { description: 'In the order of seq.', schema: Closed({ job_id: Id('job'), events: Type.Array(JobEvent) }) },
  },
  errors: { 400: ['invalid_request'], ...jobErrors },
});
