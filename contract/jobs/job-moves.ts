import Type from 'typebox';
import { commentsPerRound, NewComment, SeenRound } from '../review/comments.ts';
import { endpoint } from '../endpoint.ts';
import { Instructions } from './new-job.ts';
import { jobErrors, Moved } from './jobs.ts';
import { Closed, IdParams } from '../shapes.ts';

/** A move changes no file, and its caller has read the files with the job. */
const readBefore = ['files'];

export const approveJob = endpoint({
  operationId: 'approveJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/approve',
  tag: 'Jobs',
  summary: 'Approve a job that is ready for review',
  tool: {
    name: 'approve_job',
    hint: 'final',
    id: 'job_id',
    needs: ['round'],
    omits: readBefore,
    description: 'Approve a job that is ready for review: accept the delivered work and end the job.',
  },
  description:
    'Accepts the delivered work and ends the job. In any other status it is refused as `invalid_request` and changes nothing.',
  auth: 'caller',
  reviewers: true,
  whileSuspended: true,
  idempotent: 400,
  params: IdParams('job'),
  query: Closed({ round: Type.Optional(SeenRound) }),
  answers: { 200: { description: 'The job is completed.', schema: Moved } },
  errors: { 400: ['invalid_request'], ...jobErrors, 409: ['delivery_changed'] },
});

export const cancelJob = endpoint({
  operationId: 'cancelJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/cancel',
  tag: 'Jobs',
  summary: 'Cancel a job',
  tool: { name: 'cancel_job', hint: 'final', id: 'job_id', omits: readBefore },
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
    needs: ['round'],
    omits: readBefore,
    description:
      'Request a revision of a delivery. Needs a remaining round and an active plan; costs no quota. Sends all comments of the round; with any, `customer_instructions` may be left out.',
    fields: { customer_instructions: 'What to change.' },
  },
  description:
    'Needs a job that is ready for review, a remaining round and an active plan. Costs no quota. Sends all comments of the round to the studio; with any, `customer_instructions` may be left out.',
  auth: 'caller',
  reviewers: true,
  idempotent: 400,
  params: IdParams('job'),
  body: Closed(
    {
      customer_instructions: Type.Optional(Instructions),
      round: Type.Optional(SeenRound),
      comments: Type.Optional(
        Type.Array(NewComment, { maxItems: commentsPerRound, description: 'More comments, written and sent at once.' }),
      ),
    },
    { examples: [{ customer_instructions: 'Make the letters rounder.' }] },
  ),
  answers: { 200: { description: 'The job goes back to the studio.', schema: Moved } },
  errors: {
    403: ['entitlement_required', 'limit_reached'],
    ...jobErrors,
    409: ['revision_unavailable', 'delivery_changed'],
    422: ['invalid_request', 'unsafe_request'],
  },
});
