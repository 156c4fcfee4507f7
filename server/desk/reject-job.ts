import type { Static } from 'typebox';
import type { rejectJob as endpoint } from '../../contract/desk.ts';
import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorRequest } from './desk-move.ts';

/** Ends a job with a reason that the customer reads. Quota goes back unless something was ever released to the customer. */
export const rejectJob = (db: Db, request: OperatorRequest & { body: Static<(typeof endpoint)['body']> }) =>
  deskMove(db, request, 'reject', () => ({ reason_code: request.body.code, reason_message: request.body.message }));
