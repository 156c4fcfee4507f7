import type { countQueue as endpoint } from '../../../contract/desk/queue.ts';
import { type Catalog, refuseUnknownFamily } from '../../catalog/catalog.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { queueCounts } from './queue-counts.ts';
import type { Db } from '../../db/pool.ts';

export async function countQueue(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller, query: { service_family } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownFamily(catalog, service_family);
  const families = service_family === undefined ? null : [service_family];
  return { status: 200, body: { counts: await queueCounts(db, caller, families) } };
}
