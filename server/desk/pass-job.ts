import type { Db } from '../db/pool.ts';
import { deskMove, type OperatorAsk } from './desk-move.ts';

/** Lets reviewed work go to the customer, whose time for review begins. */
export const passJob = (db: Db, ask: OperatorAsk) => deskMove(db, ask, 'pass');
