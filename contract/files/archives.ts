import Type from 'typebox';
import { heldExample, holderFields } from '../desk/desk.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, IdParams } from '../shapes.ts';
import { Download } from './file.ts';

const round = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'Only the files of this delivery, 0 for the first. Default: all files of the job, in folders.',
  }),
);

export const archiveAnswers = {
  200: {
    description: 'Where the archive is.',
    schema: Closed(
      {
        download: Download,
        file_name: Type.String({ description: 'The name under which it is saved.' }),
        files: Type.Integer({ minimum: 1, description: 'How many files it has.' }),
        size_bytes: Type.Integer({ minimum: 1, description: 'The size of these files together, in bytes.' }),
      },
      { $id: 'Archive', description: 'Files as one zip.' },
    ),
  },
} as const;

const opened = {
  303: {
    description: 'A redirect to a short-lived private URL.',
    headers: { Location: 'The signed URL.', 'Cache-Control': '`no-store`.' },
  },
} as const;

const description =
  'One zip, not compressed, made while it is sent. It is cut off when one of its files is deleted meanwhile, or the right to it ends: check its length. 404 `file_not_found` if there is no file.';
const ofJob = { 404: ['job_not_found', 'file_not_found'] } as const;

const path = '/api/v1/jobs/{id}/archive';

export const openArchive = endpoint({
  operationId: 'openArchive',
  method: 'GET',
  path,
  tag: 'Files',
  summary: 'Open the files of a job as one zip',
  description,
  auth: 'caller',
  reviewers: true,
  whileViewing: true,
  params: IdParams('job'),
  query: Closed({ round }),
  answers: opened,
  errors: { 400: ['invalid_request'], ...ofJob },
});

export const createArchive = endpoint({
  operationId: 'createArchive',
  method: 'POST',
  path,
  tag: 'Files',
  summary: 'Request a short-lived URL of the files of a job as one zip',
  description,
  auth: 'caller',
  reviewers: true,
  scope: 'api:read',
  idempotent: 'by_nature',
  params: IdParams('job'),
  body: Closed({ round }),
  answers: archiveAnswers,
  errors: { ...ofJob, 422: ['invalid_request'] },
});

export const createReviewArchive = endpoint({
  operationId: 'createReviewArchive',
  method: 'POST',
  path: '/api/v1/review/archive',
  tag: 'Review links',
  summary: 'Request a short-lived URL of the files under review as one zip',
  description: `${description} 403 \`limit_reached\` if the jobs of a link are too large for one zip: name one in \`job_id\`, which always fits.`,
  auth: 'guest',
  rate: 'open_review',
  whileSuspended: true,
  idempotent: 'by_nature',
  body: Closed({
    round,
    job_id: Type.Optional(Id('job', 'Only this job. For links to finished work, which have no rounds.')),
  }),
  answers: archiveAnswers,
  errors: {
    403: ['limit_reached'],
    404: ['file_not_found', 'review_link_not_found'],
    422: ['invalid_request'],
  },
});

const deskPath = '/api/operator/v1/jobs/{id}/archive';

export const openJobArchive = endpoint({
  operationId: 'openJobArchive',
  method: 'GET',
  path: deskPath,
  tag: 'Desk',
  summary: 'Open the files of a job as one zip, for the studio',
  description,
  auth: 'operator',
  right: 'work',
  params: IdParams('job'),
  query: Closed({ round }),
  answers: opened,
  errors: { 400: ['invalid_request'], ...ofJob },
});

export const createJobArchive = endpoint({
  operationId: 'createJobArchive',
  method: 'POST',
  path: deskPath,
  tag: 'Desk',
  summary: 'Request a URL of the files of a job as one zip, for the studio',
  description: `${description} Also what is not delivered yet. A worker sends the \`lease_token\` of its job.`,
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('job'),
  body: Closed({ ...holderFields, round }, { examples: [{ ...heldExample, round: 0 }] }),
  answers: archiveAnswers,
  errors: { ...ofJob, 409: ['lease_lost'], 422: ['invalid_request'] },
});
