import Type from 'typebox';
import { endpoint, type Endpoint } from './endpoint.ts';
import { completion, Download, FileIds, PresignedUpload, uploadFields } from './files.ts';
import { Job, JobEvent, JobListItem, Status } from './jobs.ts';
import { KeyName } from './keys.ts';
import { Closed, Count, Cursor, Id, IdParams, Limit, NextCursor, Nullable, Timestamp } from './shapes.ts';

const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

const DeskNote = Closed(
  { id: Id('note'), author: Nullable(Id('user')), body: Type.String(), created_at: Timestamp('When it was written.') },
  { $id: 'DeskNote', description: 'Internal: never shown to the customer.' },
);

const Holder = Nullable(
  Closed({
    operator_id: Nullable(Id('user')),
    worker_key_id: Nullable(Id('wkey')),
    name: Type.String({ description: 'Of the operator, or of the worker key.' }),
    since: Timestamp('When the hold began.'),
    lease_expires_at: Nullable(Timestamp('When the hold ends by itself; null without a lease.')),
  }),
  'Who holds the job now: an operator or a worker.',
);

const Parked = Type.Boolean({
  description: 'Five leases on it ran out, so no worker is given it until an operator moves it.',
});

const DeskJobListItem = Closed(
  { ...JobListItem.properties, account_id: Id('acct'), holder: Holder, parked: Parked },
  { $id: 'DeskJobListItem' },
);

export const DeskJob = Closed(
  {
    ...Job.properties,
    account: Nullable(Closed({ id: Id('acct'), name: Type.String() }), 'Null for workers: the work needs no name.'),
    holder: Holder,
    parked: Parked,
    quality_review: Type.Boolean({ description: 'Whether a submission waits for a pass.' }),
    submissions: Type.Array(
      Closed({ message: Nullable(Type.String()), created_at: Timestamp('When it was submitted.') }),
      { description: 'What was said with each submission, oldest first.' },
    ),
    notes: Type.Array(DeskNote),
  },
  { $id: 'DeskJob', description: 'A job as the studio sees it.' },
);

const DeskMoved = { 200: { description: 'The job after the move.', schema: Closed({ job: DeskJob }) } } as const;

export const listQueue = endpoint({
  operationId: 'listQueue',
  method: 'GET',
  path: '/api/operator/v1/jobs',
  tag: 'Desk',
  summary: 'List jobs of all accounts',
  description: 'Oldest first by creation.',
  auth: 'operator',
  query: Closed({
    status: Type.Optional(Type.Array(Status, { description: 'Repeat the parameter or separate with commas.' })),
    service_family: Type.Optional(Type.String({ maxLength: 100 })),
    account_id: Type.Optional(Id('acct')),
    cursor: Type.Optional(Cursor),
    limit: Type.Optional(Limit),
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ jobs: Type.Array(DeskJobListItem), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'] },
});

export const readDeskJob = endpoint({
  operationId: 'readDeskJob',
  method: 'GET',
  path: '/api/operator/v1/jobs/{id}',
  tag: 'Desk',
  summary: 'Read a job with notes, events and holder',
  auth: 'operator',
  params: IdParams('job'),
  answers: { 200: { description: 'The job.', schema: Closed({ job: DeskJob, events: Type.Array(JobEvent) }) } },
  errors: { 404: ['job_not_found'] },
});

export const addNote = endpoint({
  operationId: 'addNote',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/notes',
  tag: 'Desk',
  summary: 'Add an internal note',
  auth: 'operator',
  csrf: true,
  idempotent: 422,
  params: IdParams('job'),
  body: Closed({ body: Text(10_000, 'The note, for the studio only.') }),
  answers: { 201: { description: 'The note.', schema: Closed({ note: DeskNote }) } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request', 'idempotency_key_conflict'] },
});

/** What all moves of the desk share; the table in `moves.ts` says from which status each goes where. */
const move = <const O extends string, const V extends string, const S extends string>(
  operationId: O,
  verb: V,
  summary: S,
) => ({
  operationId,
  method: 'POST' as const,
  path: `/api/operator/v1/jobs/{id}/${verb}` as const,
  tag: 'Desk',
  summary,
  auth: 'operator' as const,
  csrf: true as const,
  idempotent: 422 as const,
  params: IdParams('job'),
  answers: DeskMoved,
  errors: {
    404: ['job_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request', 'idempotency_key_conflict'],
  } as const satisfies Endpoint['errors'],
});

const LeaseToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Of the lease under which the caller holds the job.',
});

const Lease = Closed(
  {
    token: Type.String({ description: 'Proves the hold: send it as `lease_token`. Each lease has its own.' }),
    expires_at: Timestamp('When the hold ends unless a heartbeat extends it, by the clock of the database.'),
  },
  { $id: 'Lease', description: 'A time-limited hold on a job.' },
);

/** The moves of whoever holds the job, which workers make too. */
const holderMove = <const O extends string, const V extends string, const S extends string>(
  operationId: O,
  verb: V,
  summary: S,
) => {
  const line = move(operationId, verb, summary);
  return {
    ...line,
    auth: 'desk' as const,
    description:
      'A worker sends the `lease_token` of its live lease. An operator may: without one the move is made by the operator’s own authority, and ends the lease that a worker had.',
    errors: { ...line.errors, 409: ['invalid_transition', 'lease_lost'] } as const satisfies Endpoint['errors'],
  };
};
const held = { lease_token: Type.Optional(LeaseToken) };

export const claimJob = endpoint({
  operationId: 'claimJob',
  method: 'POST',
  path: '/api/operator/v1/jobs/claim',
  tag: 'Desk',
  summary: 'Take the next job, under a lease',
  description:
    'Gives the oldest job that nobody holds: revisions and returned jobs first, then the queue. Only a queued job changes status, to accepted. Two claims never get one job. The caller holds it until the lease expires; heartbeats extend it. A worker gets jobs of the families of its key only, and none that is parked; an operator may claim too, and gets parked jobs as well. An `Idempotency-Key` gives the same lease again after a lost answer; use a new one for the next job.',
  auth: 'desk',
  csrf: true,
  idempotent: 422,
  body: Closed({
    service_families: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Only jobs of these families.',
      }),
    ),
    lease_seconds: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 3600, default: 300, description: 'How long the lease lasts, each time.' }),
    ),
  }),
  answers: {
    200: { description: 'The job, and the lease on it.', schema: Closed({ job: DeskJob, lease: Lease }) },
    204: { description: 'There is nothing to do.' },
  },
  errors: { 422: ['invalid_request', 'idempotency_key_conflict'] },
});

export const heartbeatLease = endpoint({
  operationId: 'heartbeatLease',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/heartbeat',
  tag: 'Desk',
  summary: 'Extend a lease',
  description:
    'The lease lasts `lease_seconds` from now on. Send one every third of that time, and stop work when `cancel_requested` is true or the answer is `lease_lost`.',
  auth: 'desk',
  csrf: true,
  params: IdParams('job'),
  body: Closed({ lease_token: LeaseToken }),
  answers: {
    200: {
      description: 'The extended lease; null when the customer has canceled the job.',
      schema: Closed({
        lease: Nullable(Lease),
        cancel_requested: Type.Boolean({ description: 'The customer has canceled the job.' }),
      }),
    },
  },
  errors: { 404: ['job_not_found'], 409: ['lease_lost'], 422: ['invalid_request'] },
});

export const acceptJob = endpoint({ ...move('acceptJob', 'accept', 'Accept a queued job and hold it') });
export const startJob = endpoint({
  ...holderMove('startJob', 'start', 'Start work on an accepted job'),
  body: Closed(held),
});
const submit = holderMove('submitJob', 'submit', 'Submit the work of a running job');
export const submitJob = endpoint({
  ...submit,
  errors: { ...submit.errors, 404: ['job_not_found', 'file_not_found'] },
  body: Closed({
    ...held,
    message: Type.Optional(Text(10_000, 'A word on the work, for the studio only.')),
    file_ids: Type.Optional({
      ...FileIds,
      description:
        'The deliverables: completed uploads of the studio for this job. They replace what an earlier submission handed in and no pass released; left out, that stays.',
    }),
  }),
});
export const passJob = endpoint({ ...move('passJob', 'pass', 'Pass reviewed work on to the customer') });
export const returnJob = endpoint({
  ...move('returnJob', 'return', 'Return reviewed work for more work'),
  body: Closed({ note: Text(10_000, 'What to change; internal.') }),
});
export const rejectJob = endpoint({
  ...move('rejectJob', 'reject', 'Reject a job with a reason for the customer'),
  body: Closed({
    code: Type.Enum(['out_of_scope', 'unsafe', 'unclear', 'capacity', 'other'], { type: 'string' }),
    message: Text(2_000, 'Shown to the customer.'),
  }),
});
export const releaseJob = endpoint({
  ...holderMove('releaseJob', 'release', 'Give a held job back to the queue'),
  body: Closed(held),
});

export const presignDeliverable = endpoint({
  operationId: 'presignDeliverable',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/files/presign',
  tag: 'Desk',
  summary: 'Ask for a place to upload a deliverable to',
  description:
    'As for customers: PUT the bytes, then complete the file, then name it in `file_ids` of submit. The customer sees nothing of it until a pass releases it. A worker sends the `lease_token` of its live lease.',
  auth: 'desk',
  csrf: true,
  idempotent: 422,
  params: IdParams('job'),
  body: Closed({
    ...held,
    ...uploadFields,
    purpose: Type.Optional(Type.String({ maxLength: 100, description: '`job_deliverable`, the only one here.' })),
  }),
  answers: { 201: { description: 'The file, waiting for its bytes.', schema: PresignedUpload } },
  errors: {
    404: ['job_not_found'],
    409: ['lease_lost'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request', 'idempotency_key_conflict'],
  },
});

export const completeDeliverable = endpoint({
  operationId: 'completeDeliverable',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/complete',
  tag: 'Desk',
  summary: 'Mark a deliverable as uploaded, after the PUT succeeded',
  auth: 'desk',
  csrf: true,
  params: IdParams('file'),
  ...completion,
});

export const downloadJobFile = endpoint({
  operationId: 'downloadJobFile',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/download',
  tag: 'Desk',
  summary: 'Ask for a short-lived URL of a file of a job',
  description: 'Sources and references of the customer, and deliverables. A worker sends the `lease_token` of its job.',
  auth: 'desk',
  csrf: true,
  params: IdParams('file'),
  body: Closed(held),
  answers: { 200: { description: 'Where the bytes are.', schema: Closed({ download: Download }) } },
  errors: { 404: ['file_not_found'], 409: ['lease_lost'], 422: ['invalid_request'] },
});

export const listAccounts = endpoint({
  operationId: 'listAccounts',
  method: 'GET',
  path: '/api/operator/v1/accounts',
  tag: 'Desk',
  summary: 'List the accounts',
  auth: 'operator',
  query: Closed({ cursor: Type.Optional(Cursor), limit: Type.Optional(Limit) }),
  answers: {
    200: {
      description: 'Newest first.',
      schema: Closed({
        accounts: Type.Array(
          Closed({
            id: Id('acct'),
            name: Type.String(),
            owner_email: Nullable(Type.String()),
            plan_codes: Type.Array(Type.String(), { description: 'Codes of the active plans.' }),
            active_jobs: Count('Jobs that have not ended.'),
            created_at: Timestamp('When the account was made.'),
          }),
        ),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'] },
});

const WorkerKey = Closed(
  {
    id: Id('wkey'),
    name: Type.String(),
    prefix: Type.String({ description: 'The non-secret part of the key.' }),
    service_families: Nullable(Type.Array(Type.String()), 'The only families whose jobs it may claim; null for all.'),
    status: Type.Enum(['active', 'revoked'], { type: 'string' }),
    created_at: Timestamp('When it was made.'),
    last_used_at: Nullable(Timestamp('When it last authenticated a request, to the minute.')),
    revoked_at: Nullable(Timestamp('When it was revoked.')),
  },
  { $id: 'WorkerKey', description: 'Metadata of a worker key; never its hash or plaintext.' },
);

export const listWorkerKeys = endpoint({
  operationId: 'listWorkerKeys',
  method: 'GET',
  path: '/api/operator/v1/worker-keys',
  tag: 'Desk',
  summary: 'List the worker keys',
  auth: 'operator',
  answers: { 200: { description: 'Newest first.', schema: Closed({ worker_keys: Type.Array(WorkerKey) }) } },
  errors: {},
});

export const createWorkerKey = endpoint({
  operationId: 'createWorkerKey',
  method: 'POST',
  path: '/api/operator/v1/worker-keys',
  tag: 'Desk',
  summary: 'Create a worker key',
  description: 'The plaintext key is in this answer and nowhere else.',
  auth: 'operator',
  csrf: true,
  body: Closed({
    name: KeyName,
    service_families: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Family ids of the catalog, the only ones whose jobs it may claim. Left out: all.',
      }),
    ),
  }),
  answers: {
    201: {
      description: 'The key, shown once.',
      schema: Closed({
        worker_key: WorkerKey,
        plaintext_key: Type.String({ description: '`atw_<prefix>_<secret>`.' }),
      }),
    },
  },
  errors: { 422: ['invalid_request', 'unsupported_service'] },
});

export const deleteWorkerKey = endpoint({
  operationId: 'deleteWorkerKey',
  method: 'DELETE',
  path: '/api/operator/v1/worker-keys/{id}',
  tag: 'Desk',
  summary: 'Revoke a worker key',
  description:
    'Stops working at once, in every process; a job that it holds goes back to the queue when the lease expires. Revoking again answers the same.',
  auth: 'operator',
  csrf: true,
  params: IdParams('wkey'),
  answers: { 200: { description: 'The revoked key.', schema: Closed({ worker_key: WorkerKey }) } },
  errors: { 404: ['not_found'] },
});
