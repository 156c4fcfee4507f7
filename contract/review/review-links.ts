import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Download, posterFields, ViewingQuery } from '../files/file.ts';
import { KeyStatus } from '../developer/keys.ts';
import {
  Closed,
  Count,
  Creator,
  Id,
  IdParams,
  Name,
  NextAction,
  NextCursor,
  Nullable,
  page,
  ShownOnce,
  Timestamp,
} from '../shapes.ts';

export const maxLiveReviewLinks = 20;
export const linkDays = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 30, default: 14, description: 'Days until it stops working.' }),
);

export const ReviewLink = Closed(
  {
    id: Id('rvl'),
    job_id: Id('job'),
    name: Type.String({ description: 'For whom or what it was made. Guests do not see it.' }),
    can_comment: Type.Boolean({ description: 'Whether its guests may comment.' }),
    status: KeyStatus,
    created_by: Nullable(Creator, 'Who created it or took it over; null once deleted.'),
    created_at: Timestamp('When it was created.'),
    expires_at: Timestamp('When it stops working.'),
    comment_count: Count('Comments and replies that its guests made and did not delete.'),
    unsent_comment_count: Count('Those of them that were not sent.'),
    opened_at: Nullable(Timestamp('When a guest first opened it.')),
    revoked_at: Nullable(Timestamp('When it was revoked, or its creator lost the right.')),
  },
  { $id: 'ReviewLink', description: 'A link to the deliveries of one job, for somebody without an account.' },
);

const tag = 'Review links';
const LinkParams = Closed({ id: Id('job'), review_link_id: Id('rvl') });

export const listReviewLinks = endpoint({
  operationId: 'listReviewLinks',
  method: 'GET',
  path: '/api/v1/jobs/{id}/review-links',
  tag,
  summary: 'List the review links of a job',
  auth: 'caller',
  params: IdParams('job'),
  query: Closed(page),
  answers: {
    200: {
      description: 'Newest first, also ended ones.',
      schema: Closed({ review_links: Type.Array(ReviewLink), next_cursor: NextCursor }),
    },
  },
  errors: { 400: ['invalid_request'], 404: ['job_not_found'] },
});

export const createReviewLink = endpoint({
  operationId: 'createReviewLink',
  method: 'POST',
  path: '/api/v1/jobs/{id}/review-links',
  tag,
  summary: 'Create a link for somebody without an account',
  description: `A guest with the link sees the delivered files of this job, later ones too, and nothing else. A job can have ${maxLiveReviewLinks} live links. A link ends when it is revoked or expires, or with the rights of its creator.`,
  auth: 'caller',
  rate: 'create_review_link',
  idempotent: 422,
  params: IdParams('job'),
  body: Closed({
    name: Name('Marketing'),
    can_comment: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether guests may comment, under a name they enter.',
      }),
    ),
    expires_in_days: linkDays,
  }),
  location: '/api/v1/jobs/{id}/review-links',
  answers: {
    201: {
      description: 'The link. Its token is shown once.',
      schema: Closed({
        review_link: ReviewLink,
        token: ShownOnce('What a guest sends as `Authorization: Review <token>`.'),
        url: ShownOnce('The page to send to guests. The token is in its fragment.'),
        next_action: NextAction,
      }),
    },
  },
  errors: { 403: ['limit_reached'], 404: ['job_not_found'], 422: ['invalid_request'] },
});

export const revokeReviewLink = endpoint({
  operationId: 'revokeReviewLink',
  method: 'POST',
  path: '/api/v1/jobs/{id}/review-links/{review_link_id}/revoke',
  tag,
  summary: 'Revoke a review link',
  description: 'It stops working at once. Download URLs made before work until they expire.',
  auth: 'caller',
  whileSuspended: true,
  idempotent: 'by_nature',
  params: LinkParams,
  body: Closed({
    delete_comments: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether to delete its comments and replies that were not sent.' }),
    ),
  }),
  answers: { 200: { description: 'The revoked link.', schema: Closed({ review_link: ReviewLink }) } },
  errors: { 404: ['job_not_found', 'review_link_not_found'], 422: ['invalid_request'] },
});

const guest = { tag, auth: 'guest', rate: 'open_review' } as const;

const ReviewFile = Closed(
  {
    id: Id('file'),
    name: Type.String({ description: 'The name of the file. Never a path.' }),
    content_type: Type.String({ description: 'MIME type.' }),
    size_bytes: Type.Integer({ minimum: 1, description: 'The size in bytes.' }),
    round: Type.Integer({ minimum: 0, description: 'The revision round, 0 for the first delivery.' }),
    ...posterFields,
  },
  { $id: 'ReviewFile', description: 'A delivered file, as a guest sees it.' },
);

const FinishedJob = Closed(
  {
    job_id: Id('job'),
    title: Type.String({ description: 'The title of the job.' }),
    approved_at: Timestamp('When the job was completed.'),
    file_ids: Type.Array(Id('file'), {
      description: 'Those of `files` that belong to it, in the order of the studio.',
    }),
  },
  { $id: 'FinishedJob', description: 'A completed job, as a guest sees it.' },
);

export const Review = Closed(
  {
    job_title: Type.String({ description: 'The title of the job; of a link to finished work, of its first job.' }),
    studio_name: Type.String({ description: 'Who delivered the files.' }),
    shared_by: Closed(
      { name: Type.String({ description: 'Who made the link, or the account of its API key.' }) },
      { description: 'Who shares the files.' },
    ),
    can_comment: Type.Boolean({ description: 'Whether the link allows comments.' }),
    expires_at: Timestamp('When the link stops working.'),
    round: Nullable(Type.Integer({ minimum: 0 }), 'Of the latest delivery, 0 for the first; null before that.'),
    status_open: Type.Boolean({ description: 'Whether that delivery waits for the review.' }),
    files: Type.Array(ReviewFile, {
      description: 'Those that still have their bytes, newest round first.',
    }),
    finished: Type.Optional(
      Type.Array(FinishedJob, { description: 'Only of a link to finished work: its jobs that still have files.' }),
    ),
  },
  { $id: 'Review', description: 'What a review link opens.' },
);

export const readReview = endpoint({
  ...guest,
  operationId: 'readReview',
  method: 'GET',
  path: '/api/v1/review',
  summary: 'Read what a review link opens',
  answers: { 200: { description: 'The delivered files.', schema: Closed({ review: Review }) } },
  errors: { 404: ['review_link_not_found'] },
});

export const downloadReviewFile = endpoint({
  ...guest,
  operationId: 'downloadReviewFile',
  method: 'POST',
  path: '/api/v1/review/files/{id}/download',
  summary: 'Request a short-lived URL of a file under review',
  whileSuspended: true,
  idempotent: 'by_nature',
  params: IdParams('file'),
  query: ViewingQuery,
  answers: { 200: { description: 'Where the bytes are.', schema: Closed({ download: Download }) } },
  errors: { 400: ['invalid_request'], 404: ['file_not_found', 'review_link_not_found'] },
});
