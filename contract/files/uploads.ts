import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import {
  customerPurposes,
  File,
  maxTextBytes,
  OneFile,
  posterBytes,
  purposes,
  retentionDays,
  uploadPageMinutes,
} from './file.ts';
import { fileTypes, maxFileBytes, notInNames } from './file-types.ts';
import { Closed, Id, IdParams, NextAction, Nullable, Timestamp, Upload } from '../shapes.ts';

/** Tag characters spell the flags of regions. Anywhere else they are text that nobody sees. */
const flag = '\\u{1f3f4}[\\u{e0030}-\\u{e007a}]{3,6}\\u{e007f}';
const tags = '\\u{e0000}-\\u{e007f}';

export const uploadFields = {
  content_type: Type.String({
    $id: 'ContentType',
    maxLength: 200,
    description: `MIME type, compared in lower case without parameters: one of ${Object.keys(fileTypes).join(', ')}, or another one of \`file_types\` in GET /api/v1/installation. Other common names of a type, such as image/jpg, count as it. An empty type and application/octet-stream stand for the type that the ending of the name says. Send the type that \`upload.headers\` names with the bytes.`,
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
    pattern: `^(?:[^${notInNames}${tags}]|${flag})*$`,
    description:
      '1 to 255 code points, without controls, ends of lines, or characters that turn the direction of writing. Kept as sent. A label only: it is never used as a path.',
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

const UploadPageAddress = Closed(
  {
    url: Type.String({ description: 'The page. The token is in its fragment, which browsers send to no server.' }),
    expires_at: Timestamp('When the page stops working.'),
  },
  {
    description: `A one-time address where a person sends the file instead, without a credential, within ${uploadPageMinutes} minutes. What they send replaces name, type and size. Anybody who has it can use it.`,
  },
);

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
      'Request a URL for uploading a file. Then send the raw bytes to `upload.url` exactly as `upload` says, and call complete_upload. Or give your user `page.url`, where they send any one file instead, and wait as `next_action` says.',
    fields: {
      content_type: 'MIME type, such as application/pdf. A refusal names the supported ones.',
      file_name: 'A label only.',
      retention_days: 'After the end of the job, or after the upload.',
      size_bytes: 'At most 100 MiB.',
    },
    values: { purpose: customerPurposes },
  },
  description:
    'Then PUT the raw bytes to `upload.url` with exactly `upload.headers`, and complete the file. A replay of the Idempotency-Key returns the same file, with a new URL if the first has expired.',
  auth: 'caller',
  reviewers: true,
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
  answers: {
    201: {
      description: 'The file, waiting for its bytes.',
      schema: Closed({
        ...PresignedUpload.properties,
        page: Nullable(
          UploadPageAddress,
          'For a person who has the file. Null for the session of a browser, and once the file is uploaded.',
        ),
        next_action: NextAction,
      }),
    },
  },
  errors: {
    403: ['entitlement_required', 'limit_reached'],
    404: ['job_not_found'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request'],
  },
});

export const createTextFile = endpoint({
  operationId: 'createTextFile',
  method: 'POST',
  path: '/api/v1/files/text',
  tag: 'Files',
  summary: 'Create a file from a text',
  tool: {
    name: 'create_text_file',
    hint: 'write',
    description: 'Create a file from a text, complete at once.',
    fields: {
      file_name: 'Ends in .md, .csv or .json; any other text is plain.',
      purpose: '`job_reference` for messages.',
      text: 'At most 64 KiB in UTF-8.',
    },
    values: { purpose: customerPurposes },
  },
  description:
    'An upload whose bytes come with the request, complete at once. Its type follows the end of its name: `.md`, `.csv` or `.json`; any other text is `text/plain`.',
  auth: 'caller',
  idempotent: 422,
  body: Closed({
    file_name: uploadFields.file_name,
    text: Type.String({
      minLength: 1,
      maxLength: maxTextBytes,
      description: `At most ${maxTextBytes} bytes (64 KiB) in UTF-8, without a credential.`,
      examples: ['Colours: dark green and cream.'],
    }),
    purpose: Type.Optional(
      Type.String({ maxLength: 100, supported: purposes, default: 'job_source', description: 'What it is for.' }),
    ),
    job_id: Type.Optional(Id('job', 'A job of the account that has not ended.')),
  }),
  location: '/api/v1/files/{file.id}',
  answers: { 201: { description: 'The uploaded file.', schema: OneFile } },
  errors: {
    403: ['entitlement_required', 'limit_reached'],
    404: ['job_not_found'],
    409: ['upload_incomplete'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request'],
  },
});

export const completion = {
  description:
    'Verifies that the bytes are present, with the declared type and at most the declared size, and begin as files of that type do. A PNG, JPEG, WebP or GIF that was declared as another of these gets its own type. Afterwards the upload URL can no longer change them. If bytes are missing, `error.upload` says where to send them, with a new URL if the first has expired.',
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
      'Mark a file as uploaded, after its bytes were sent. If they are missing, `upload` of the error says where to send them.',
  },
  auth: 'caller',
  reviewers: true,
  idempotent: 'by_nature',
  params: IdParams('file'),
  ...completion,
});

export const copyFile = endpoint({
  operationId: 'copyFile',
  method: 'POST',
  path: '/api/v1/files/{id}/copy',
  tag: 'Files',
  summary: 'Copy a file for another job',
  description:
    'Makes an uploaded file that belongs to no job yet, of an upload of the account or of a file delivered to it. The two files are deleted on their own.',
  auth: 'caller',
  idempotent: 422,
  params: IdParams('file'),
  location: '/api/v1/files/{file.id}',
  answers: { 201: { description: 'The copy.', schema: OneFile } },
  errors: {
    403: ['entitlement_required', 'limit_reached'],
    404: ['file_not_found'],
    413: ['file_too_large'],
    422: ['invalid_request'],
  },
});

/** What both sides send as the poster of a video. */
export const posterOfVideo = {
  description:
    'For players and lists: a frame of a video that the caller uploaded. It is encoded again without its metadata, at most 1,024 pixels a side, and replaces an earlier one.',
  body: Closed(
    {
      jpeg: Type.String({
        pattern: '^[A-Za-z0-9+/]*={0,2}$',
        minLength: 4,
        maxLength: Math.ceil(posterBytes / 3) * 4,
        description: `A JPEG of at most ${posterBytes} bytes (512 KiB), in base64.`,
      }),
    },
    { examples: [{ jpeg: '/9j/4AAQSkZJRgABAQ==' }] },
  ),
  largestBody: 3 * 1024 ** 2,
  answers: { 201: { description: 'The file, with its poster.', schema: OneFile } },
} as const;

export const createPoster = endpoint({
  operationId: 'createPoster',
  method: 'POST',
  path: '/api/v1/files/{id}/poster',
  tag: 'Files',
  summary: 'Send a frame of a video as its poster',
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  params: IdParams('file'),
  ...posterOfVideo,
  location: '/api/v1/files/{id}',
  errors: {
    404: ['file_not_found'],
    409: ['upload_incomplete'],
    422: ['invalid_request', 'unsupported_file'],
  },
});
