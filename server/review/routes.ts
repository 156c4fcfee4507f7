import * as archives from '../../contract/files/archives.ts';
import * as comments from '../../contract/review/comments.ts';
import * as guests from '../../contract/review/guest-comments.ts';
import * as looking from '../../contract/review/looking.ts';
import * as links from '../../contract/review/review-links.ts';
import * as moves from '../../contract/jobs/job-moves.ts';
import { route } from '../http/handle.ts';
import { askToLook } from './ask-to-look.ts';
import { createComment } from './create-comment.ts';
import { createGuestComment } from './create-guest-comment.ts';
import { createGuestReply } from './create-guest-reply.ts';
import { createReply } from './create-reply.ts';
import { createReviewArchive } from './create-review-archive.ts';
import { createReviewLink } from './create-review-link.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteGuestComment } from './delete-guest-comment.ts';
import { deleteGuestReply } from './delete-guest-reply.ts';
import { deleteReply } from './delete-reply.ts';
import { downloadReviewFile } from './download-review-file.ts';
import { listComments } from './list-comments.ts';
import { listGuestComments } from './list-guest-comments.ts';
import { listReviewLinks } from './list-review-links.ts';
import { lookAsGuest } from './look-as-guest.ts';
import { lookAtReview } from './look-at-review.ts';
import { readReview } from './read-review.ts';
import { revokeReviewLink } from './revoke-review-link.ts';
import { requestRevision } from './request-revision.ts';
import { settleComment } from './settle-comment.ts';
import { updateComment } from './update-comment.ts';

export const reviewRoutes = [
  route(listComments, comments.listComments),
  route(createComment, comments.createComment),
  route(updateComment, comments.updateComment),
  route(deleteComment, comments.deleteComment),
  route(createReply, comments.createReply),
  route(deleteReply, comments.deleteReply),
  route(settleComment, comments.settleComment),
  route(lookAtReview, looking.lookAtReview),
  route(askToLook, looking.askToLook),
  route(listReviewLinks, links.listReviewLinks),
  route(createReviewLink, links.createReviewLink),
  route(revokeReviewLink, links.revokeReviewLink),
  route(readReview, links.readReview),
  route(downloadReviewFile, links.downloadReviewFile),
  route(createReviewArchive, archives.createReviewArchive),
  route(listGuestComments, guests.listGuestComments),
  route(createGuestComment, guests.createGuestComment),
  route(deleteGuestComment, guests.deleteGuestComment),
  route(createGuestReply, guests.createGuestReply),
  route(deleteGuestReply, guests.deleteGuestReply),
  route(lookAsGuest, looking.lookAsGuest),
  route(requestRevision, moves.requestRevision),
];
