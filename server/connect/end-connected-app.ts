import type { endConnectedApp as endpoint } from '../../contract/developer/connected-apps.ts';
import { type Db, transact } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { endApps, findApp } from '../keys/connected-app.ts';
import { readId } from '../lib/id.ts';
import { visibleApps } from './visible-apps.ts';

/** The row stays. Idempotent: the time of the first call counts. */
export async function endConnectedApp(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('key', params.id);
  const whose = visibleApps(caller);
  return transact(db, async (trx) => {
    if (id === null || !(await findApp(trx, whose, id))) throw new Refusal('connected_app_not_found');
    await endApps(trx, { ...whose, id }, cause);
    const connected_app = await findApp(trx, whose, id);
    if (!connected_app) throw new Refusal('connected_app_not_found');
    return { status: 200, body: { connected_app } };
  });
}
