import Type from 'typebox';
import { holderFields, heldExample } from './desk.ts';
import { endpoint } from './endpoint.ts';
import { completion, Download, PresignedUpload, uploadFields } from './files.ts';
import { Closed, IdParams } from './shapes.ts';

export const presignDeliverable = endpoint({
  operationId: 'presignDeliverable',
  method: 'POST',
  path: '/api/operator/v1/jobs/{id}/files/presign',
  tag: 'Desk',
  summary: 'Request a URL for uploading a deliverable',
  description:
    'As for customers: PUT the bytes, complete the file, then name it in `file_ids` of submit. The customer does not see it until a pass releases it. A worker sends the `lease_token` of its live lease.',
  auth: 'desk',
  csrf: true,
  idempotent: 422,
  params: IdParams('job'),
  body: Closed(
    {
      ...holderFields,
      ...uploadFields,
      purpose: Type.Optional(
        Type.String({ maxLength: 100, supported: ['job_deliverable'], description: 'The only purpose here.' }),
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
  csrf: true,
  idempotent: 'by_nature',
  params: IdParams('file'),
  ...completion,
});

export const downloadJobFile = endpoint({
  operationId: 'downloadJobFile',
  method: 'POST',
  path: '/api/operator/v1/files/{id}/download',
  tag: 'Desk',
  summary: 'Request a short-lived URL of a file of a job',
  description: 'Sources and references of the customer, and deliverables. A worker sends the `lease_token` of its job.',
  auth: 'desk',
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
  params: IdParams('file'),
  answers: {
    303: { description: 'To the bytes.', headers: { Location: 'A short-lived URL.' } },
  },
  errors: { 404: ['file_not_found'] },
});
