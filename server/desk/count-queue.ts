import type { AnswerOf } from '../../contract/endpoint.ts';
import type { countQueue as endpoint } from '../../contract/queue.ts';
import type { Request } from '../http/request.ts';
import { queueCounts } from './queue-counts.ts';
import type { Db } from '../db/pool.ts';

export async function countQueue(
  { db }: { db: Db },
  { caller, query: { service_family } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const families = service_family === undefined ? null : [service_family];
  return { status: 200, body: { counts: await queueCounts(db, caller, families) } };
}
