import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorRequest } from './desk-move.ts';

/** Lets reviewed work go to the customer, whose time for review begins. */
export const passJob = (db: Db, request: OperatorRequest) => deskMove(db, request, 'pass');
