import { sql } from 'kysely';
import type { Db } from '../kit/db.ts';
import { type DeskAsk, deskMove } from './desk-move.ts';

/** Takes a queued job; the operator holds it from then on. */
export const acceptJob = (db: Db, ask: DeskAsk) =>
  deskMove(db, ask, 'accept', () => ({ operator_id: ask.caller.userId, held_since: sql<Date>`now()` }));
