import Type, { type Static } from 'typebox';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { Closed, Id, NextCursor, Nullable, page, Timestamp } from '../shapes.ts';

/** Comments and replies of one round of a job, of members and guests, also settled ones. */
export const commentsPerRound = 200;
/** So that members always have room. */
export const guestCommentsPerRound = 100;
export const unsentCommentsPerLink = 50;

const placeForms =
  'Places: `xywh=percent:x,y,w,h` in pictures and videos (W3C Media Fragments; w and h 0 for a point), `page=2` or `page=2&xywh=percent:…` in PDF (RFC 8118), `t=12.5` or `t=12.5,20` in audio and video, `line=10,12` in text (RFC 5147: lines 11 and 12). Decimals have at most three digits.';

export const CommentText = Type.String({
  $id: 'CommentText',
  minLength: 1,
  maxLength: 2_000,
  pattern: '\\S',
  description: '1 to 2,000 code points of plain text.',
  examples: ['Make this letter rounder.'],
});
export const At = Type.String({
  $id: 'CommentPlace',
  minLength: 1,
  maxLength: 100,
  description: 'Where: `xywh=percent:x,y,w,h`, `page=2&xywh=…`, `t=12.5,20` or `line=10,12`, by the file type.',
  examples: ['xywh=percent:40,25,10,12.5'],
});

/** A comment of a request. */
export const NewComment = Closed(
  {
    file_id: Id('file', 'A file of the current delivery.'),
    text: CommentText,
    at: Type.Optional(At),
  },
  { $id: 'NewComment', description: 'A comment on a file of the current delivery.' },
);
export type NewComment = Static<typeof NewComment>;

const authorKinds = ['customer', 'guest'] as const;
const Author = Closed(
  {
    kind: Type.Enum([...authorKinds], {
      type: 'string',
      description: '`customer`: a member or key of the account. `guest`: somebody with a review link.',
    }),
    name: Type.String({ description: 'Of the person or key, or as the guest entered it; empty for workers.' }),
  },
  { $id: 'CommentAuthor', description: 'Who wrote it.' },
);

export const CommentReply = Closed(
  {
    id: Id('rpl'),
    text: Type.String({ description: 'What was written, as plain text.' }),
    author: Author,
    editable: Type.Boolean({ description: 'Whether the caller wrote it and may delete it.' }),
    created_at: Timestamp('When it was written.'),
  },
  { $id: 'CommentReply', description: 'A reply to a comment. It is sent with its comment.' },
);

export const ReviewComment = Closed(
  {
    id: Id('cmt'),
    job_id: Id('job'),
    round: Type.Integer({ minimum: 0, description: 'The delivery that it is about; 0 is the first.' }),
    number: Type.Integer({ minimum: 1, description: 'Its place in the round, from 1 in the order of creation.' }),
    file_id: Id('file', 'The delivered file that it is about.'),
    file_name: Type.String({ description: 'The name of that file.' }),
    at: Nullable(Type.String(), 'Where in the file, as a canonical fragment; null for the whole file.'),
    text: Type.String({ description: 'What was written, as plain text.' }),
    author: Author,
    editable: Type.Boolean({ description: 'Whether the caller may change and delete it.' }),
    replies: Type.Array(CommentReply, { description: 'In the order of creation.' }),
    settled_at: Nullable(
      Timestamp('When a member settled it.'),
      'A settled comment is not sent to the studio. Null for others.',
    ),
    settled_by: Nullable(Type.String(), 'The name of the member or key that settled it.'),
    never_sent: Type.Boolean({
      description: 'The review ended without sending it: only the account sees it, the studio never does.',
    }),
    created_at: Timestamp('When it was written.'),
    updated_at: Timestamp('When its author last changed it.'),
    sent_at: Nullable(Timestamp('When the studio received it, with a request for a revision.')),
    done_at: Nullable(
      Timestamp('When the studio marked it as done.'),
      'Null while it is open. Customers see it from the next delivery on.',
    ),
    done_note: Nullable(Type.String(), 'What the studio wrote to it; customers see it from the next delivery on.'),
  },
  { $id: 'ReviewComment', description: 'A comment on a delivered file.' },
);
export type ReviewComment = Static<typeof ReviewComment>;

/** The last changes that the customer requested, for the people who make them. */
export const Revision = Closed(
  {
    round: Type.Integer({
      minimum: 1,
      description: 'The round of revision, from 1. Its comments are about the delivery before it.',
    }),
    instructions: Type.String({ description: 'What to change; empty where only comments were sent.' }),
    comments: Type.Array(ReviewComment, { description: 'The comments that were sent with it.' }),
  },
  { $id: 'Revision', description: 'The last revision that the customer requested.' },
);

/** `approve` and `revision` take the round of the delivery that the caller has seen. */
export const SeenRound = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The delivery that you reviewed, from 0. Another one is refused.',
});

const Round = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Only comments of this delivery; 0 is the first.',
});
export const listQuery = Closed({ round: Type.Optional(Round), ...page });
export const Comments = Closed({
  comments: Type.Array(ReviewComment, { description: 'In the order of creation.' }),
  next_cursor: NextCursor,
});
export const OneComment = Closed({ comment: ReviewComment });
export const jobParams = Closed({ id: Id('job') });
export const commentParams = Closed({ id: Id('job'), comment_id: Id('cmt') });

export const ReplyText = Closed({ text: CommentText });
const replyParams = Closed({ id: Id('job'), comment_id: Id('cmt'), reply_id: Id('rpl') });

const changeErrors = {
  404: ['job_not_found', 'comment_not_found'],
  409: ['invalid_transition'],
} as const satisfies Endpoint['errors'];

export const listComments = endpoint({
  operationId: 'listComments',
  method: 'GET',
  path: '/api/v1/jobs/{id}/comments',
  tag: 'Review',
  summary: 'List the comments on the deliveries of a job',
  description:
    'Those of members, keys and guests, sent or not, in the order of creation. The studio sees none before a revision is requested.',
  auth: 'caller',
  reviewers: true,
  params: jobParams,
  query: listQuery,
  whileViewing: true,
  answers: { 200: { description: 'One page.', schema: Comments } },
  errors: { 400: ['invalid_request'], 404: ['job_not_found'] },
});

export const createComment = endpoint({
  operationId: 'createComment',
  method: 'POST',
  path: '/api/v1/jobs/{id}/comments',
  tag: 'Review',
  summary: 'Comment on a file of the current delivery',
  description: `While the job is ready_for_customer_review. Requesting a revision sends all comments of the round to the studio, but those that are settled. A round has at most ${commentsPerRound} comments and replies. ${placeForms}`,
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  rate: 'write_comment',
  params: jobParams,
  body: NewComment,
  location: '/api/v1/jobs/{comment.job_id}/comments',
  answers: { 201: { description: 'The comment.', schema: OneComment } },
  errors: {
    403: ['limit_reached'],
    404: ['job_not_found', 'comment_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request', 'unsafe_request'],
  },
});

export const updateComment = endpoint({
  operationId: 'updateComment',
  method: 'PATCH',
  path: '/api/v1/jobs/{id}/comments/{comment_id}',
  tag: 'Review',
  summary: 'Change a comment that was not sent',
  description: 'By its author.',
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  rate: 'write_comment',
  params: commentParams,
  body: Closed(
    {
      text: Type.Optional(CommentText),
      at: Type.Optional(Nullable(At, 'Where in the file; null for the whole file.')),
    },
    { examples: [{ text: 'Make this letter much rounder.' }] },
  ),
  answers: { 200: { description: 'The changed comment.', schema: OneComment } },
  errors: { ...changeErrors, 422: ['invalid_request', 'unsafe_request'] },
});

export const deleteComment = endpoint({
  operationId: 'deleteComment',
  method: 'DELETE',
  path: '/api/v1/jobs/{id}/comments/{comment_id}',
  tag: 'Review',
  summary: 'Delete a comment that was not sent',
  description: 'By its author, with all replies to it. Every member may delete a comment of a guest.',
  auth: 'caller',
  reviewers: true,
  params: commentParams,
  answers: { 200: { description: 'The comment as it was.', schema: OneComment } },
  errors: changeErrors,
});

export const createReply = endpoint({
  operationId: 'createReply',
  method: 'POST',
  path: '/api/v1/jobs/{id}/comments/{comment_id}/replies',
  tag: 'Review',
  summary: 'Reply to a comment that was not sent',
  description: 'Members and guests read it at once, the studio when the comment is sent. It counts as a comment.',
  auth: 'caller',
  reviewers: true,
  idempotent: 422,
  rate: 'write_comment',
  params: commentParams,
  body: ReplyText,
  location: '/api/v1/jobs/{comment.job_id}/comments',
  answers: { 201: { description: 'The comment with its replies.', schema: OneComment } },
  errors: { 403: ['limit_reached'], ...changeErrors, 422: ['invalid_request', 'unsafe_request'] },
});

export const deleteReply = endpoint({
  operationId: 'deleteReply',
  method: 'DELETE',
  path: '/api/v1/jobs/{id}/comments/{comment_id}/replies/{reply_id}',
  tag: 'Review',
  summary: 'Delete a reply that was not sent',
  description: 'By its author. Every member may delete a reply of a guest.',
  auth: 'caller',
  reviewers: true,
  params: replyParams,
  answers: { 200: { description: 'The comment without it.', schema: OneComment } },
  errors: { ...changeErrors, 404: [...changeErrors[404], 'reply_not_found'] },
});

export const settleComment = endpoint({
  operationId: 'settleComment',
  method: 'PUT',
  path: '/api/v1/jobs/{id}/comments/{comment_id}/settled',
  tag: 'Review',
  summary: 'Settle a comment, so that it is not sent',
  description:
    'By any member or key, while its delivery waits for the review. A request for a revision leaves it and its replies out; `false` opens it again.',
  auth: 'caller',
  reviewers: true,
  params: commentParams,
  body: Closed({ settled: Type.Boolean({ description: 'Whether it is settled.', examples: [true] }) }),
  answers: { 200: { description: 'The comment.', schema: OneComment } },
  errors: { ...changeErrors, 422: ['invalid_request'] },
});
