import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, IdParams } from '../shapes.ts';
import { DeskJob } from './job.ts';

export const tickItem = endpoint({
  operationId: 'tickItem',
  method: 'PUT',
  path: '/api/operator/v1/jobs/{id}/checklist',
  tag: 'Desk',
  summary: 'Tick an item of the checklist, or take the tick back',
  description:
    'While the job is accepted or running. Each round begins without ticks. Operators submit once all items are ticked; workers are exempt.',
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: IdParams('job'),
  body: Closed({
    item: Type.Integer({ minimum: 0, maximum: 19, description: 'Its place in `checklist`, from 0.', examples: [0] }),
    ticked: Type.Boolean({ description: 'Whether it is done.', examples: [true] }),
  }),
  answers: { 200: { description: 'The job.', schema: Closed({ job: DeskJob }) } },
  errors: { 404: ['job_not_found'], 409: ['invalid_transition'], 422: ['invalid_request'] },
});
