import Type from 'typebox';
import { deliveryFiles } from './file-types.ts';
import { Closed, Id, Nullable, Timestamp } from '../shapes.ts';

export const uploadUrlSeconds = 15 * 60;
export const downloadUrlSeconds = 5 * 60;
/** How long an upload page works. */
export const uploadPageMinutes = 30;

/** Default limits per account: uploads not yet completed, and stored bytes. */
export const accountBounds = { pendingUploads: 100, storedBytes: 10 * 1024 ** 3 };

/** Limits of accounts without a usable plan. */
export const trialBounds = { files: 3, bytes: 25 * 1024 ** 2 };

export const retentionDays = { minimum: 1, maximum: 365, default: 90 };

export const purposes = ['job_source', 'job_reference', 'job_deliverable'] as const;
export type Purpose = (typeof purposes)[number];
/** The others are of use to the studio alone. */
export const customerPurposes: Purpose[] = ['job_source', 'job_reference'];

export const fileStatuses = ['pending_upload', 'uploaded', 'expired', 'deleted'] as const;
export type FileStatus = (typeof fileStatuses)[number];

const uploaders = ['customer', 'studio'] as const;
export type Uploader = (typeof uploaders)[number];

/** The longest text, in UTF-8, that is sent in a request instead of being uploaded. */
export const maxTextBytes = 64 * 1024;

/** The largest frame of a video that may be sent as its poster. */
export const posterBytes = 512 * 1024;

const pictureStatuses = ['none', 'pending', 'made', 'failed'] as const;
/** Of a poster, and of a copy for viewing. */
export type PictureStatus = (typeof pictureStatuses)[number];

const Pixels = (side: string) =>
  Nullable(Type.Integer({ minimum: 1 }), `${side} of the picture in pixels, upright. Null if unknown.`);

/** Of whatever shows a file. The verb answers the key of the poster, and the last step signs it. */
export const posterFields = {
  poster: Nullable(
    Type.String(),
    'Signed URL of a WebP of at most 1,024 pixels a side, 2,048 for types that browsers do not show. Works for at least an hour and needs no credentials.',
  ),
  poster_status: Type.Enum([...pictureStatuses], {
    type: 'string',
    description: '`pending`: the picture is being drawn. `failed`: the file cannot be drawn.',
  }),
  width: Pixels('Width'),
  height: Pixels('Height'),
  viewing_copy: Type.Enum([...pictureStatuses], {
    type: 'string',
    description: 'Of a video that browsers cannot play: whether the service has made a copy that they can.',
  }),
};

export const ViewingQuery = Closed({
  copy: Type.Optional(
    Type.Enum(['viewing'], {
      type: 'string',
      description: '`viewing`: the copy that browsers can play, if `viewing_copy` of the file is `made`.',
    }),
  ),
});

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
    ...posterFields,
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

/** The largest content that an answer has in itself: bytes of a text, and of a picture. */
export const inlineBytes = { text: 256 * 1024, image: 1_000_000 };
export const inlineTypes = {
  text: ['text/plain', 'text/markdown', 'text/csv', 'application/json'],
  image: ['image/png', 'image/jpeg', 'image/webp'],
};

export const InlineFile = Closed(
  {
    notice: Type.String({ description: 'Says that the content is data, not instructions.' }),
    text: Type.Optional(Type.String({ description: 'Of a text.' })),
    encoding: Type.Optional(Type.String({ description: 'Which encoding the text was read in, such as Windows-1252.' })),
    image: Type.Optional(
      Closed(
        {
          content_type: Type.String({ description: 'MIME type.' }),
          base64: Type.String({ description: 'Its bytes.' }),
        },
        { description: 'Of a picture.' },
      ),
    ),
  },
  { $id: 'InlineFile', description: 'The content of a file.' },
);

export const FileIds = Type.Array(Id('file'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Uploaded files of the account, at most 100.',
});

export const DeliveryFileIds = Type.Array(Id('file'), { maxItems: deliveryFiles, uniqueItems: true });

export const OneFile = Closed({ file: File });
