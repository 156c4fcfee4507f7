import Type from 'typebox';
import { endpoint, type Endpoint } from './endpoint.ts';
import { Job, JobEvent, JobListItem, Status } from './jobs.ts';
import { Closed, Count, Cursor, Id, IdParams, Limit, NextCursor, Nullable, Timestamp } from './shapes.ts';

const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description });

const DeskNote = Closed(
  { id: Id('note'), author: Nullable(Id('user')), body: Type.String(), created_at: Timestamp('When it was written.') },
  { $id: 'DeskNote', description: 'Internal: never shown to the customer.' },
);

const Holder = Nullable(
  Closed({ operator_id: Id('user'), name: Type.String(), since: Timestamp('When the hold began.') }),
  'Who holds the job now.',
);

const DeskJobListItem = Closed(
  { ...JobListItem.properties, account_id: Id('acct'), holder: Holder },
  { $id: 'DeskJobListItem' },
);

export const DeskJob = Closed(
  {
    ...Job.properties,
    account: Closed({ id: Id('acct'), name: Type.String() }),
    holder: Holder,
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
  idempotent: true,
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
  idempotent: true as const,
  params: IdParams('job'),
  answers: DeskMoved,
  errors: {
    404: ['job_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request', 'idempotency_key_conflict'],
  } as const satisfies Endpoint['errors'],
});

export const acceptJob = endpoint({ ...move('acceptJob', 'accept', 'Accept a queued job and hold it') });
export const startJob = endpoint({ ...move('startJob', 'start', 'Start work on an accepted job') });
export const submitJob = endpoint({
  ...move('submitJob', 'submit', 'Submit the work of a running job'),
  body: Closed({ message: Type.Optional(Text(10_000, 'A word on the work, for the studio only.')) }),
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
export const releaseJob = endpoint({ ...move('releaseJob', 'release', 'Give a held job back to the queue') });

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
