import type { readDeskJob as endpoint } from '../../../contract/desk/desk.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { findDeskJob } from './desk-job.ts';
import type { Db } from '../../db/pool.ts';

export async function readDeskJob(
  { db, graceHours }: { db: Db; graceHours: number },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: await findDeskJob(db, params.id, caller, graceHours) };
}
