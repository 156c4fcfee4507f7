import type { listConnectedApps as endpoint } from '../../contract/developer/connected-apps.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { listApps } from '../keys/connected-app.ts';
import type { Signer } from '../lib/signer.ts';
import { visibleApps } from './visible-apps.ts';

export async function listConnectedApps(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const whose = visibleApps(caller);
  const page = {
    cursor: query.cursor,
    limit: query.limit,
    scope: ['listConnectedApps', caller.accountId, whose.madeBy],
  };
  return { status: 200, body: await listApps(db, signer, whose, page) };
}
