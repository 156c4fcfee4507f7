import type { Static } from 'typebox';
import type { rejectJob as endpoint } from '../../contract/desk.ts';
import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorAsk } from './desk-move.ts';

/** Ends a job with a reason that the customer reads. Quota goes back unless something was ever released to the customer. */
export const rejectJob = (db: Db, ask: OperatorAsk & { body: Static<(typeof endpoint)['body']> }) =>
  deskMove(db, ask, 'reject', () => ({ reason_code: ask.body.code, reason_message: ask.body.message }));
