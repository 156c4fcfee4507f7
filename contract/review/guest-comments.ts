import Type from 'typebox';
import { guestCommentsPerRound, NewComment, ReplyText, ReviewComment, unsentCommentsPerLink } from './comments.ts';
import { endpoint } from '../endpoint.ts';
import { Closed, Id, IdParams, Name, NextCursor, page } from '../shapes.ts';

const guest = { tag: 'Review links', auth: 'guest' } as const;
const OneComment = Closed({ comment: ReviewComment });

export const listGuestComments = endpoint({
  ...guest,
  operationId: 'listGuestComments',
  method: 'GET',
  path: '/api/v1/review/comments',
  summary: 'List the comments on the latest delivery',
  description: 'Those of members, keys and guests, in the order of creation.',
  rate: 'open_review',
  query: Closed(page),
  answers: {
    200: {
      description: 'One page.',
      schema: Closed({
        comments: Type.Array(ReviewComment, { description: 'In the order of creation.' }),
        next_cursor: NextCursor,
      }),
    },
  },
  errors: { 400: ['invalid_request'], 403: ['comments_not_allowed'], 404: ['review_link_not_found'] },
});

export const createGuestComment = endpoint({
  ...guest,
  operationId: 'createGuestComment',
  method: 'POST',
  path: '/api/v1/review/comments',
  summary: 'Comment on a file as a guest',
  description: `While the latest delivery waits for the review of the customer, whose members see it at once and send it with their request for a revision. A round has at most ${guestCommentsPerRound} of guests, a link ${unsentCommentsPerLink} that were not sent.`,
  rate: 'write_guest_comment',
  idempotent: 422,
  body: Closed({ name: Name('Vera'), ...NewComment.properties }),
  location: '/api/v1/review/comments',
  answers: { 201: { description: 'The comment.', schema: OneComment } },
  errors: {
    403: ['comments_not_allowed', 'limit_reached'],
    404: ['review_link_not_found', 'comment_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request', 'unsafe_request'],
  },
});

export const deleteGuestComment = endpoint({
  ...guest,
  operationId: 'deleteGuestComment',
  method: 'DELETE',
  path: '/api/v1/review/comments/{id}',
  summary: 'Delete a comment that was made through the link',
  description: 'While its delivery waits for the review of the customer.',
  rate: 'write_guest_comment',
  params: IdParams('cmt'),
  answers: { 200: { description: 'The comment as it was.', schema: OneComment } },
  errors: {
    403: ['comments_not_allowed'],
    404: ['comment_not_found', 'review_link_not_found'],
    409: ['invalid_transition'],
  },
});

export const createGuestReply = endpoint({
  ...guest,
  operationId: 'createGuestReply',
  method: 'POST',
  path: '/api/v1/review/comments/{id}/replies',
  summary: 'Reply to a comment as a guest',
  description: 'While its delivery waits for the review of the customer. It counts as a comment of a guest.',
  rate: 'write_guest_comment',
  idempotent: 422,
  params: IdParams('cmt'),
  body: Closed({ name: Name('Vera'), ...ReplyText.properties }),
  location: '/api/v1/review/comments',
  answers: { 201: { description: 'The comment with its replies.', schema: OneComment } },
  errors: {
    403: ['comments_not_allowed', 'limit_reached'],
    404: ['comment_not_found', 'review_link_not_found'],
    409: ['invalid_transition'],
    422: ['invalid_request', 'unsafe_request'],
  },
});

export const deleteGuestReply = endpoint({
  ...guest,
  operationId: 'deleteGuestReply',
  method: 'DELETE',
  path: '/api/v1/review/comments/{id}/replies/{reply_id}',
  summary: 'Delete a reply that was made through the link',
  description: 'While its delivery waits for the review of the customer.',
  rate: 'write_guest_comment',
  params: Closed({ id: Id('cmt'), reply_id: Id('rpl') }),
  answers: { 200: { description: 'The comment without it.', schema: OneComment } },
  errors: {
    403: ['comments_not_allowed'],
    404: ['comment_not_found', 'reply_not_found', 'review_link_not_found'],
    409: ['invalid_transition'],
  },
});
