import type { completeComment as endpoint } from '../../../contract/desk/comments.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { markComment } from './desk-comment.ts';

/** A second time replaces the note. */
export const completeComment = (
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> => markComment(db, request, { note: request.body.note ?? null });
