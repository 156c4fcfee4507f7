import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Closed, IdParams } from '../shapes.ts';
import { DeskJob, Text } from './job.ts';

export const setAsideDays = 90;

const ofJob = {
  path: '/api/operator/v1/jobs/{id}/set-aside',
  tag: 'Desk',
  auth: 'operator',
  right: 'work',
  csrf: true,
  params: IdParams('job'),
} as const;
const answers = { 200: { description: 'The job.', schema: Closed({ job: DeskJob }) } };

export const setJobAside = endpoint({
  ...ofJob,
  operationId: 'setJobAside',
  method: 'PUT',
  summary: 'Set a job aside until a date',
  description:
    'For a reason of the studio. The clock runs on: only a question to the customer stops it. The job stays with its holder or in the queue, and nobody gets it by a claim. It comes back at that time, or sooner if the customer acts or the job moves. An internal note says why. The job must be queued, accepted or running, and no worker may hold it; a job of another operator needs a lead or owner.',
  body: Closed({
    reason: Text(500, 'Why, for the studio only.', 'The printer has paper again on Thursday.'),
    set_aside_until: Type.String({
      format: 'date-time',
      description: `In the future, at most ${setAsideDays} days ahead. ISO 8601 with a zone.`,
      examples: ['2026-11-26T12:00:00Z'],
    }),
  }),
  answers,
  errors: { 404: ['job_not_found'], 409: ['invalid_transition'], 422: ['invalid_request'] },
});

export const endSetAside = endpoint({
  ...ofJob,
  operationId: 'endSetAside',
  method: 'DELETE',
  summary: 'Take up a job that was set aside',
  description: 'A job that is not set aside stays as it is.',
  answers,
  errors: { 404: ['job_not_found'] },
});
