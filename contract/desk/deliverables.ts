import Type from 'typebox';
import { holderFields, heldExample } from './desk.ts';
import { endpoint } from '../endpoint.ts';
import { Download, ViewingQuery } from '../files/file.ts';
import { Closed, IdParams } from '../shapes.ts';
import { completion, posterOfVideo, PresignedUpload, uploadFields } from '../files/uploads.ts';

/** What the studio uploads: work, or a file for a message. */
export const deskPurposes = ['job_deliverable', 'job_reference'] as const;

export const presignDeliverable = endpoint({
  operationId: 'presignDeliverable',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/files/presign',
  tag: 'Desk',
  summary: 'Request a URL for uploading a file of the studio',
  description:
    'As for customers: PUT the bytes, complete the file, then name it in `file_ids` of submit, or of a message if its purpose is `job_reference`. The customer does not see it until a pass releases it or the message is sent. A worker sends the `lease_token` of its live lease.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: IdParams('job'),
  body: Closed(
    {
      ...holderFields,
      ...uploadFields,
      purpose: Type.Optional(
        Type.String({ maxLength: 100, supported: deskPurposes, description: '`job_deliverable` by default.' }),
      ),
    },
    {
      examples: [{ ...heldExample, content_type: 'application/pdf', size_bytes: 48_213, file_name: 'logo.pdf' }],
    },
  ),
  location: '/api/operator/v1/files/{file.id}/download',
  answers: { 201: { description: 'The file, waiting for its bytes.', schema: PresignedUpload } },
  errors: {
    404: ['job_not_found'],
    409: ['lease_lost'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request'],
  },
});

export const completeDeliverable = endpoint({
  operationId: 'completeDeliverable',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/complete',
  tag: 'Desk',
  summary: 'Mark a deliverable as uploaded, after the PUT succeeded',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('file'),
  ...completion,
  errors: { ...completion.errors, 409: ['lease_lost', 'upload_incomplete'] },
});

export const createDeliverablePoster = endpoint({
  operationId: 'createDeliverablePoster',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/poster',
  tag: 'Desk',
  summary: 'Send a frame of a video of the studio as its poster',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 422,
  params: IdParams('file'),
  ...posterOfVideo,
  location: '/api/operator/v1/files/{id}/download',
  errors: {
    404: ['file_not_found'],
    409: ['file_in_use', 'upload_incomplete'],
    422: ['invalid_request', 'unsupported_file'],
  },
});

export const downloadJobFile = endpoint({
  operationId: 'downloadJobFile',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/download',
  tag: 'Desk',
  summary: 'Request a short-lived URL of a file of a job',
  description: 'Sources and references of the customer, and deliverables. A worker sends the `lease_token` of its job.',
  auth: 'desk',
  right: 'work',
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('file'),
  body: Closed(holderFields, { examples: [heldExample] }),
  answers: { 200: { description: 'Where the bytes are.', schema: Closed({ download: Download }) } },
  errors: { 404: ['file_not_found'], 409: ['lease_lost'], 422: ['invalid_request'] },
});

export const openJobFile = endpoint({
  operationId: 'openJobFile',
  method: 'GET',
  path: '/api/operator/v1/files/{id}/download',
  tag: 'Desk',
  summary: 'Open a file of a job',
  description: 'For pages of the desk that display the file.',
  auth: 'operator',
  right: 'work',
  params: IdParams('file'),
  query: ViewingQuery,
  answers: {
    303: { description: 'To the bytes.', headers: { Location: 'A short-lived URL.' } },
  },
  errors: { 400: ['invalid_request'], 404: ['file_not_found'] },
});
