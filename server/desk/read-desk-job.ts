import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readDeskJob as line } from '../../contract/desk.ts';
import type { Ask } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { findDeskJob } from './desk-job.ts';

/** One job of any account with its events, notes, submissions and holder. */
export async function readDeskJob(db: Db, { caller, params }: Ask<typeof line>): Promise<AnswerOf<typeof line>> {
  return { status: 200, body: await findDeskJob(db, params.id, caller) };
}
