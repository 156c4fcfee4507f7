import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { fileTypes, maxFileBytes } from './file-types.ts';
import {
  Closed,
  emojiOnly,
  emojiParts,
  hidden,
  Id,
  IdParams,
  NextCursor,
  Nullable,
  page,
  Timestamp,
  Upload,
} from './shapes.ts';

export const uploadUrlSeconds = 15 * 60;
export const downloadUrlSeconds = 5 * 60;

/** Default limits per account: uploads not yet completed, and stored bytes. */
export const accountBounds = { pendingUploads: 100, storedBytes: 10 * 1024 ** 3 };

/** Limits of accounts without a usable plan. */
export const trialBounds = { files: 3, bytes: 25 * 1024 ** 2 };

export const retentionDays = { minimum: 1, maximum: 365, default: 90 };

export const purposes = ['job_source', 'job_reference', 'job_deliverable'] as const;
export type Purpose = (typeof purposes)[number];

export const fileStatuses = ['pending_upload', 'uploaded', 'expired', 'deleted'] as const;
export type FileStatus = (typeof fileStatuses)[number];

const uploaders = ['customer', 'studio'] as const;
export type Uploader = (typeof uploaders)[number];

export const File = Closed(
  {
    id: Id('file'),
    job_id: Type.Optional(Id('job')),
    purpose: Type.Enum([...purposes], { type: 'string', description: 'What the file is for.' }),
    uploaded_by: Type.Enum([...uploaders], {
      type: 'string',
      description: 'Only uploads of the studio are delivered work.',
    }),
    file_name: Type.String({
      description: 'As sent. Never a path: use only the part after the last separator.',
    }),
    content_type: Type.String({ description: 'MIME type.' }),
    size_bytes: Type.Integer({ minimum: 1, description: 'The declared size; after completion the actual one.' }),
    status: Type.Enum([...fileStatuses], { type: 'string', description: 'Only an uploaded file can be downloaded.' }),
    retention_days: Type.Integer({ minimum: 1, maximum: 365, description: 'Days that the bytes are kept.' }),
    round: Nullable(Type.Integer({ minimum: 0 }), 'Deliverables only: the revision round, 0 for the first delivery.'),
    created_at: Timestamp('When the upload was presigned.'),
    uploaded_at: Nullable(Timestamp('When it was completed.')),
    released_at: Nullable(Timestamp('Deliverables only: when it was delivered to the customer.')),
    deleted_at: Nullable(Timestamp('When the bytes were deleted: on request, or at the end of retention.')),
  },
  { $id: 'File', description: 'A file of the account.' },
);

export const Download = Closed(
  {
    method: Type.Literal('GET', { description: 'The method to use.' }),
    url: Type.String({ description: 'Short-lived and signed. Needs no credentials; do not share it.' }),
    expires_at: Timestamp(`When the URL stops working, ${downloadUrlSeconds / 60} minutes after it was made.`),
  },
  { $id: 'Download', description: 'Where to fetch the bytes.' },
);

export const FileIds = Type.Array(Id('file'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Uploaded files of the account, at most 100.',
});

export const uploadFields = {
  content_type: Type.String({
    $id: 'ContentType',
    maxLength: 200,
    description: `MIME type, compared in lower case without parameters: one of ${Object.keys(fileTypes).join(', ')}, or another one of \`file_types\` in GET /api/v1/installation. Send the type that \`upload.headers\` names with the bytes.`,
    examples: ['application/pdf'],
  }),
  size_bytes: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `At most ${maxFileBytes} (100 MiB).`,
    examples: [48_213],
  }),
  file_name: Type.String({
    $id: 'FileName',
    minLength: 1,
    maxLength: 255,
    pattern: `^${emojiOnly}(?:[^${hidden}]|[${emojiParts}])*$`,
    description:
      '1 to 255 code points, without control or invisible characters. A label only: it is never used as a path.',
    examples: ['brand-guide.pdf'],
  }),
  retention_days: Type.Optional(
    Type.Integer({
      ...retentionDays,
      description: 'How long the bytes are kept after the end of the job, or after the upload if there is no job.',
    }),
  ),
};

export const PresignedUpload = Closed(
  { file: File, upload: Upload },
  { $id: 'PresignedUpload', description: 'A file and where to send its bytes.' },
);
const OneFile = Closed({ file: File });

export const presignUpload = endpoint({
  operationId: 'presignUpload',
  method: 'POST',
  path: '/api/v1/files/presign',
  tag: 'Files',
  summary: 'Request a URL for uploading a file',
  tool: {
    name: 'create_upload',
    hint: 'write',
    title: 'Upload a file',
    description:
      'Request a URL for uploading a file. Then send the raw bytes to `upload.url` exactly as `upload` says, and call complete_upload. A repeat with the same `idempotency_key` returns the same file, with a new URL if the first has expired.',
    fields: {
      content_type: 'MIME type, such as application/pdf. The refusal of another type names those that are supported.',
    },
  },
  description:
    'Then PUT the raw bytes to `upload.url` with exactly `upload.headers`, and complete the file. A replay of the Idempotency-Key returns the same file, with a new URL if the first has expired.',
  auth: 'caller',
  idempotent: 422,
  body: Closed({
    purpose: Type.String({
      maxLength: 100,
      supported: purposes,
      description: 'What it is for.',
      examples: ['job_source'],
    }),
    ...uploadFields,
    job_id: Type.Optional(Id('job', 'A job of the account that has not ended.')),
  }),
  location: '/api/v1/files/{file.id}',
  answers: { 201: { description: 'The file, waiting for its bytes.', schema: PresignedUpload } },
  errors: {
    403: ['entitlement_required', 'limit_reached'],
    404: ['job_not_found'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request'],
  },
});

export const completion = {
  description:
    'Verifies that the bytes are present, with the declared type and at most the declared size. Afterwards the upload URL can no longer change them. If bytes are missing, `error.upload` says where to send them, with a new URL if the first has expired.',
  answers: { 200: { description: 'The uploaded file. Idempotent.', schema: OneFile } },
  errors: {
    404: ['file_not_found'],
    409: ['upload_incomplete'],
    413: ['file_too_large'],
    422: ['invalid_request'],
  },
} as const;

export const completeUpload = endpoint({
  operationId: 'completeUpload',
  method: 'POST',
  path: '/api/v1/files/{id}/complete',
  tag: 'Files',
  summary: 'Mark a file as uploaded, after the PUT succeeded',
  tool: {
    name: 'complete_upload',
    hint: 'write',
    repeat: 'by_state',
    id: 'file_id',
    title: 'Complete an upload',
    description:
      'Mark a file as uploaded, after its bytes were sent. Verifies that they are present, with the declared type and at most the declared size. If they are missing, `upload` of the error says where to send them.',
  },
  auth: 'caller',
  idempotent: 'by_nature',
  params: IdParams('file'),
  ...completion,
});

export const listFiles = endpoint({
  operationId: 'listFiles',
  method: 'GET',
  path: '/api/v1/files',
  tag: 'Files',
  summary: 'List the files of the account',
  description:
    'Newest first: uploads of the account, in every status, and files delivered to it. With `job_id`, only those of that job.',
  auth: 'caller',
  query: Closed({
    job_id: Type.Optional(Id('job', 'A job of the account.')),
    ...page,
  }),
  answers: {
    200: { description: 'One page.', schema: Closed({ files: Type.Array(File), next_cursor: NextCursor }) },
  },
  errors: { 400: ['invalid_request'], 404: ['job_not_found'] },
});

export const readFile = endpoint({
  operationId: 'readFile',
  method: 'GET',
  path: '/api/v1/files/{id}',
  tag: 'Files',
  summary: 'Read a file',
  description: 'What the account uploaded, in every status, and what was delivered to it.',
  auth: 'caller',
  params: IdParams('file'),
  answers: { 200: { description: 'The file, without its bytes.', schema: OneFile } },
  errors: { 404: ['file_not_found'] },
});

export const deleteFile = endpoint({
  operationId: 'deleteFile',
  method: 'DELETE',
  path: '/api/v1/files/{id}',
  tag: 'Files',
  summary: 'Delete a file that the account uploaded',
  description: 'Its bytes are deleted at once; the file stays as `deleted`. An uncompleted upload ends. Idempotent.',
  auth: 'caller',
  params: IdParams('file'),
  answers: { 200: { description: 'The deleted file.', schema: OneFile } },
  errors: { 404: ['file_not_found'], 409: ['file_in_use'] },
});

export const downloadFile = endpoint({
  operationId: 'downloadFile',
  method: 'GET',
  path: '/api/v1/files/{id}/download',
  tag: 'Files',
  summary: 'Open the bytes of a file',
  description: 'For uploads of the account, and for delivered files of its jobs.',
  auth: 'caller',
  params: IdParams('file'),
  answers: {
    303: {
      description: 'A redirect to a short-lived private URL.',
      headers: { Location: 'The signed URL.', 'Cache-Control': '`no-store`.' },
    },
  },
  errors: { 404: ['file_not_found'] },
});

export const createDownload = endpoint({
  operationId: 'createDownload',
  method: 'POST',
  path: '/api/v1/files/{id}/download',
  tag: 'Files',
  summary: 'Request a short-lived URL of the bytes of a file',
  tool: { name: 'get_download', hint: 'read', id: 'file_id', title: 'Download a file' },
  description: 'For uploads of the account, and for delivered files of its jobs.',
  auth: 'caller',
  scope: 'api:read',
  idempotent: 'by_nature',
  params: IdParams('file'),
  answers: { 200: { description: 'Where the bytes are.', schema: Closed({ download: Download }) } },
  errors: { 404: ['file_not_found'] },
});
