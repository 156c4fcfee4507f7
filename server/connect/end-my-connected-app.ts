import type { endMyConnectedApp as endpoint } from '../../contract/developer/connected-apps.ts';
import { type Db, transact } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { endApps, findApp } from '../keys/connected-app.ts';
import { readId } from '../lib/id.ts';

/** The row stays. Idempotent: the time of the first call counts. */
export async function endMyConnectedApp(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('key', params.id);
  const mine = { madeBy: caller.userId };
  return transact(db, async (trx) => {
    const app = id && (await findApp(trx, mine, id));
    if (!app) throw new Refusal('connected_app_not_found');
    const accountId = readId('acct', app.account.id) ?? '';
    await endApps(trx, { ...mine, accountId, id }, cause);
    const connected_app = await findApp(trx, mine, id);
    if (!connected_app) throw new Refusal('connected_app_not_found');
    return { status: 200, body: { connected_app } };
  });
}
