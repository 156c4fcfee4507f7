import type { listConnectedApps as endpoint } from '../../contract/connected-apps.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { listApps } from '../keys/connected-app.ts';
import { visibleApps } from './visible-apps.ts';

export async function listConnectedApps(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { connected_apps: await listApps(db, visibleApps(caller)) } };
}
