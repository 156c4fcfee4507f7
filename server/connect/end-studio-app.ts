import { sql } from 'kysely';
import type { endStudioApp as endpoint } from '../../contract/desk/studio-apps.ts';
import { type Db, transact } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { endStudioApps, showStudioApp, studioApps } from '../keys/studio-app.ts';
import { readId } from '../lib/id.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';

/** The row stays for 30 days. Idempotent: the time of the first call counts. */
export async function endStudioApp(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const isIt = sql`c.id = ${readId('app', params.id)}`;
  return transact(db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await endStudioApps(trx, isIt, cause);
    const [app] = await studioApps(trx, isIt);
    if (!app) throw new Refusal('app_not_found');
    return { status: 200, body: { app: showStudioApp(app) } };
  });
}
