import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { uploadPageMinutes } from './file.ts';
import { Closed, Timestamp, Upload } from '../shapes.ts';
import { posterOfVideo, uploadFields } from './uploads.ts';

const tag = 'Files';
const UploadToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What follows # in the address of the page.',
  examples: ['Zk3v0m9bq2d1sWn0cXQy8Rr5uT7aKfEoJhLgPiVxYz4'],
});
const publicPage = { tag, auth: 'public', rate: 'use_upload_page' } as const;

export const readUploadPage = endpoint({
  ...publicPage,
  operationId: 'readUploadPage',
  method: 'POST',
  path: '/api/v1/upload-pages/read',
  summary: 'Read what an upload page asks for',
  description: `The token is its only credential. A page works for ${uploadPageMinutes} minutes and one file, and ends with the key, app or session that made it.`,
  idempotent: 'by_nature',
  body: Closed({ token: UploadToken }),
  answers: {
    200: {
      description: 'The page.',
      schema: Closed({
        upload_page: Closed(
          {
            account_name: Type.String({ description: 'The account that gets the file.' }),
            requested_by: Type.String({ description: 'The name of the key, app or person that made the page.' }),
            file_name: Type.String({ description: 'What the file was called when it was asked for. Never a path.' }),
            expires_at: Timestamp('When the page stops working.'),
          },
          { $id: 'UploadPage', description: 'What somebody without a credential sees before sending a file.' },
        ),
      }),
    },
  },
  errors: { 404: ['upload_page_not_found'], 422: ['invalid_request'] },
});

export const startPageUpload = endpoint({
  ...publicPage,
  operationId: 'startPageUpload',
  method: 'POST',
  path: '/api/v1/upload-pages/start',
  summary: 'Request a URL for the file of an upload page',
  description:
    'Name, type and size replace those with which the file was asked for. Then PUT the raw bytes to `upload.url` with exactly `upload.headers`, and complete the page.',
  idempotent: 'by_nature',
  body: Closed({
    token: UploadToken,
    file_name: uploadFields.file_name,
    content_type: uploadFields.content_type,
    size_bytes: uploadFields.size_bytes,
  }),
  answers: { 200: { description: 'Where to send the bytes.', schema: Closed({ upload: Upload }) } },
  errors: {
    403: ['entitlement_required'],
    404: ['upload_page_not_found'],
    413: ['file_too_large'],
    422: ['invalid_request', 'unsupported_file', 'unsafe_request'],
  },
});

export const completePageUpload = endpoint({
  ...publicPage,
  operationId: 'completePageUpload',
  method: 'POST',
  path: '/api/v1/upload-pages/complete',
  summary: 'Mark the file of an upload page as uploaded',
  description:
    'Verifies the bytes as the completion of any upload does, and ends the page. The account gets the event `job.file_attached`, or `file.uploaded` if the file belongs to no job.',
  idempotent: 'refused',
  body: Closed({
    token: UploadToken,
    poster: Type.Optional({
      ...posterOfVideo.body.properties.jpeg,
      description: 'A frame of a video as its poster: a JPEG in base64. A frame that cannot be drawn is left out.',
    }),
  }),
  largestBody: posterOfVideo.largestBody,
  answers: {
    200: {
      description: 'The file has arrived.',
      schema: Closed({
        file_name: Type.String({ description: 'As sent. Never a path.' }),
        size_bytes: Type.Integer({ minimum: 1, description: 'The size in bytes.' }),
      }),
    },
  },
  errors: {
    404: ['upload_page_not_found'],
    409: ['upload_incomplete'],
    413: ['file_too_large'],
    422: ['invalid_request'],
  },
});
