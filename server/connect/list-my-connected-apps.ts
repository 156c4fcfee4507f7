import type { listMyConnectedApps as endpoint } from '../../contract/developer/connected-apps.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { listApps } from '../keys/connected-app.ts';

export async function listMyConnectedApps(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { userId }, query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const page = { cursor: query.cursor, limit: query.limit, scope: ['listMyConnectedApps', userId] };
  return { status: 200, body: await listApps(db, signer, { madeBy: userId }, page) };
}
