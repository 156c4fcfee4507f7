import Type from 'typebox';
import { commentParams, Comments, jobParams, listQuery, OneComment } from '../review/comments.ts';
import { Text } from './job.ts';
import { heldExample, holderFields } from './desk.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { Closed } from '../shapes.ts';

const errors = {
  404: ['job_not_found', 'comment_not_found'],
  409: ['invalid_transition', 'lease_lost'],
  422: ['invalid_request'],
} as const satisfies Endpoint['errors'];

export const listDeskComments = endpoint({
  operationId: 'listDeskComments',
  method: 'GET',
  path: '/api/operator/v1/jobs/{id}/comments',
  tag: 'Desk',
  summary: 'List the comments of the customer at the desk',
  description:
    'Those that were sent with a request for a revision. A worker reads those of a job that it holds under a lease.',
  auth: 'desk',
  right: 'work',
  params: jobParams,
  query: listQuery,
  answers: { 200: { description: 'One page.', schema: Comments } },
  errors: { 400: ['invalid_request'], 404: ['job_not_found'] },
});

export const completeComment = endpoint({
  operationId: 'completeComment',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/comments/{comment_id}/done',
  tag: 'Desk',
  summary: 'Mark a comment as done',
  description:
    'A comment of the current revision, while the studio has the job. The customer sees it, with the note, from the next delivery on. A worker sends its `lease_token`.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: commentParams,
  body: Closed(
    {
      ...holderFields,
      note: Type.Optional(Text(2_000, 'What was done, for the customer.', 'Rounder now.')),
    },
    { examples: [{ ...heldExample, note: 'Rounder now.' }] },
  ),
  answers: { 200: { description: 'The comment.', schema: OneComment } },
  errors,
});

export const reopenComment = endpoint({
  operationId: 'reopenComment',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/comments/{comment_id}/reopen',
  tag: 'Desk',
  summary: 'Mark a comment as not done',
  description: 'Removes the note. A worker sends its `lease_token`.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: commentParams,
  body: Closed(holderFields, { examples: [heldExample] }),
  answers: { 200: { description: 'The comment.', schema: OneComment } },
  errors,
});
