import Type from 'typebox';
import { Revision } from '../review/comments.ts';
import { DeskJob, DeskNote, Text } from './job.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { DeliveryFileIds } from '../files/file.ts';
import { JobEvent } from '../jobs/events.ts';
import { Message } from '../jobs/message.ts';
import { Closed, Id, IdParams, Nullable, Timestamp } from '../shapes.ts';

const DeskMoved = {
  200: {
    description: 'The job after the move.',
    schema: Closed({ job: DeskJob }, { $id: 'MovedDeskJob', description: 'The job after the move.' }),
  },
} as const;

export const readDeskJob = endpoint({
  operationId: 'readDeskJob',
  method: 'GET',
  path: '/api/operator/v1/jobs/{id}',
  tag: 'Desk',
  summary: 'Read a job with notes, events and holder',
  auth: 'operator',
  right: 'work',
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
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: IdParams('job'),
  body: Closed({ body: Text(10_000, 'The note, for the studio only.', 'Prefers blue.') }),
  location: '/api/operator/v1/jobs/{id}',
  answers: { 201: { description: 'The note.', schema: Closed({ note: DeskNote }) } },
  errors: { 404: ['job_not_found'], 422: ['invalid_request'] },
});

/** The common part of all desk moves; `moves.ts` defines the statuses. */
export const move = <const O extends string, const V extends string, const S extends string>(
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
  right: 'work' as const,
  csrf: true as const,
  idempotent: 422 as const,
  params: IdParams('job'),
  answers: DeskMoved,
  errors: {
    404: ['job_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request'],
  } as const satisfies Endpoint['errors'],
});

const leaseToken = '0193b2a4-7c11-7d2e-9f0a-3c5d8e6f1a2b';
const LeaseToken = Type.String({
  $id: 'LeaseToken',
  minLength: 1,
  maxLength: 100,
  description: 'The token of the caller’s lease.',
  examples: [leaseToken],
});

const Lease = Closed(
  {
    token: Type.String({ description: 'Proves the hold: send it as `lease_token`. Each lease has its own token.' }),
    expires_at: Timestamp('When the lease expires without a heartbeat, by the clock of the database.'),
  },
  { $id: 'Lease', description: 'A time-limited hold on a job.' },
);

/** Moves of the job's holder, which workers can also make. */
const holderMove = <const O extends string, const V extends string, const S extends string>(
  operationId: O,
  verb: V,
  summary: S,
) => {
  const line = move(operationId, verb, summary);
  return {
    ...line,
    auth: 'desk' as const,
    right: 'work' as const,
    description:
      'A worker sends the `lease_token` of its live lease. An operator can leave it out: the move then uses the operator’s own authority. If a worker holds the job, that needs a lead or owner and ends the lease. So does the release of a job of another operator.',
    errors: { ...line.errors, 409: ['invalid_transition', 'lease_lost'] } as const satisfies Endpoint['errors'],
  };
};
export const holderFields = { lease_token: Type.Optional(LeaseToken) };
export const heldExample = { lease_token: leaseToken };

export const claimJob = endpoint({
  operationId: 'claimJob',
  method: 'POST',
  path: '/api/operator/v1/jobs/claim',
  long: true,
  tag: 'Desk',
  summary: 'Take the next job, under a lease',
  description:
    'Gives the next job that nobody holds: revisions and returned jobs first, then the queue, each in order of `due_at`, then `created_at`. Only a queued job changes status, to accepted. The caller holds it until the lease expires; heartbeats extend it. A worker gets jobs of the families of its key only, and none that is parked. A worker key may hold 10 live leases; the next claim is 403 `limit_reached`. An operator may claim too, gets parked jobs as well, and has a limit and families of their own (`GET /api/operator/v1/operators`). An `Idempotency-Key` gives the same lease again after a lost answer, and 409 `lease_lost` once that lease has ended; use a new one for the next job.',
  auth: 'desk',
  right: 'work',
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
      Type.Integer({
        minimum: 5,
        maximum: 3600,
        default: 300,
        description: 'The duration of the lease and of each extension.',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 25, default: 0, description: 'Seconds to wait for a job if there is none.' }),
    ),
  }),
  answers: {
    200: {
      description: 'The job, and the lease on it.',
      schema: Closed({
        job: DeskJob,
        lease: Lease,
        messages: Type.Array(Message, { description: 'The newest 100 messages of the thread, newest first.' }),
        revision: Nullable(Revision, 'The last requested revision with its comments; null before the first.'),
      }),
    },
    204: { description: 'There is no free job.' },
  },
  errors: { 403: ['limit_reached'], 409: ['lease_lost'], 422: ['invalid_request'] },
});

export const heartbeatLease = endpoint({
  operationId: 'heartbeatLease',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/heartbeat',
  tag: 'Desk',
  summary: 'Extend a lease',
  description:
    'Extends the lease by `lease_seconds` from now. Send a heartbeat at every third of that time, and stop work when `cancel_requested` is true or the answer is `lease_lost`.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 'refused',
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

export const acceptJob = endpoint({
  ...move('acceptJob', 'accept', 'Accept a queued job and hold it'),
});
export const startJob = endpoint({
  ...holderMove('startJob', 'start', 'Start work on an accepted job'),
  body: Closed(holderFields, { examples: [heldExample] }),
});
const submitted = holderMove('submitJob', 'submit', 'Submit the work of a running job');
export const submitJob = endpoint({
  ...submitted,
  body: Closed(
    {
      ...holderFields,
      message: Type.Optional(
        Text(
          10_000,
          'The message to the customer, shown once the work is released. Required without files.',
          'Two versions.',
        ),
      ),
      file_ids: Type.Optional({
        ...DeliveryFileIds,
        description:
          'The deliverables: at most 500 completed uploads of the studio for this job. They replace files of an earlier submission that were not released; without this field those stay.',
      }),
    },
    { examples: [{ ...heldExample, file_ids: ['file_01jd3vsh8xe7rtx1zqbdnzc4v0'] }] },
  ),
  errors: { ...submitted.errors, 409: [...submitted.errors[409], 'checklist_open'] },
});
const passed = move('passJob', 'pass', 'Pass reviewed work on to the customer');
export const passJob = endpoint({
  ...passed,
  right: 'review',
  description: 'With `other_reviewer` none of `round_operators` may.',
  errors: { ...passed.errors, 403: ['own_work'] },
});
export const returnJob = endpoint({
  ...move('returnJob', 'return', 'Return reviewed work for more work'),
  right: 'review',
  body: Closed({ note: Text(10_000, 'What to change; internal.', 'The logo is too small.') }),
});
export const rejectJob = endpoint({
  ...move('rejectJob', 'reject', 'Reject a job with a reason for the customer'),
  right: 'reject',
  body: Closed({
    code: Type.Enum(['out_of_scope', 'unsafe', 'unclear', 'capacity', 'other'], {
      type: 'string',
      description: 'The kind of reason.',
    }),
    message: Text(2_000, 'Shown to the customer.', 'We do not print.'),
  }),
});
const released = holderMove('releaseJob', 'release', 'Give a held job back to the queue');
export const releaseJob = endpoint({
  ...released,
  description: `${released.description} What a worker gives back counts like an expired lease: at the fifth the job is parked. A worker does not get it again for a minute. A question gives the job back without either.`,
  body: Closed(
    {
      ...holderFields,
      reason: Type.Optional(
        Text(
          10_000,
          'Why: kept as an internal note, which the customer never sees.',
          'The source file cannot be read.',
        ),
      ),
    },
    { examples: [{ ...heldExample, reason: 'The source file cannot be read.' }] },
  ),
});

const { errors: moveErrors, ...hold } = move('holdJob', 'hold', 'Take a job, or hand it over');
export const holdJob = endpoint({
  ...hold,
  description:
    'Makes the named operator, or the caller, the holder of an accepted or running job. Anybody may take a job that nobody holds; to hand a job over, or to take one that somebody holds, needs a lead or owner. The status and what the customer sees do not change. A lease ends.',
  body: Closed({
    operator_id: Type.Optional(Id('user', 'The new holder. Default: the caller.')),
    note: Type.Optional(
      Text(10_000, 'An internal note, such as for the new holder.', 'The source files are in the thread.'),
    ),
  }),
  errors: { ...moveErrors, 404: ['job_not_found', 'operator_not_found'] },
});
