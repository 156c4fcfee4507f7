import type { reopenComment as endpoint } from '../../../contract/desk/comments.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { markComment } from './desk-comment.ts';

export const reopenComment = (
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> => markComment(db, request, null);
