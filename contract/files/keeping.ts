import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { retentionDays } from './file.ts';
import { Closed, IdParams, Timestamp } from '../shapes.ts';

export const keepJobFiles = endpoint({
  operationId: 'keepJobFiles',
  method: 'POST',
  path: '/api/v1/jobs/{id}/keep',
  tag: 'Library',
  summary: 'Keep the files of an ended job for longer',
  description: `Until ${retentionDays.maximum} days after the end of the job: all of its files that still have their bytes.`,
  auth: 'manager',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('job'),
  answers: {
    200: {
      description: 'The files are kept.',
      schema: Closed({
        files: Type.Integer({ minimum: 1, description: 'How many files are kept.' }),
        kept_until: Timestamp('When the first of them leaves.'),
      }),
    },
  },
  errors: { 404: ['job_not_found', 'file_not_found'], 409: ['invalid_transition'] },
});
