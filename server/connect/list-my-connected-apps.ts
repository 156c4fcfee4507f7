import type { listMyConnectedApps as endpoint } from '../../contract/connected-apps.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { listApps } from '../keys/connected-app.ts';

export async function listMyConnectedApps(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { connected_apps: await listApps(db, { madeBy: caller.userId }) } };
}
