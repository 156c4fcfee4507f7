import { sql } from 'kysely';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import { type createStudioApp as endpoint, maxStudioApps } from '../../contract/desk/studio-apps.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import { showStudioApp, studioApps } from '../keys/studio-app.ts';
import { newId, showId } from '../lib/id.ts';
import { clientRow } from './client.ts';
import { redirectFault } from './redirect-rules.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';

/** Without a secret: everybody who uses the app can read its client id. */
export async function createStudioApp(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  refuseRedirects(body.redirect_uris);
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    await refuseBeyondLimit(trx);
    const id = newId();
    const subject = showId('app', id);
    await insertApp(trx, id, body, caller.userId);
    const details = { name: body.name };
    await appendAudit(trx, cause, { action: 'app.created', subject, accountId: null, details });
    const [app] = await studioApps(trx, sql`c.id = ${id}`);
    if (!app) throw new Error('An app vanished inside its transaction.');
    return { status: 201, body: { app: showStudioApp(app) }, accountId: null };
  });
}

function refuseRedirects(uris: readonly string[]): void {
  const faults = uris.flatMap((uri, at) => {
    const message = redirectFault(uri);
    return message === null ? [] : [{ location: `/redirect_uris/${at}`, message }];
  });
  if (faults.length > 0) throw badBody(faults);
}

/** Locks out other registrations, so that those made at the same time are counted. */
async function refuseBeyondLimit(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' studio_apps', 0))`.execute(trx);
  const { rows } = await sql<{ active: number }>`
    select count(*)::int as active from oauth_clients where registered_by is not null and not disabled`.execute(trx);
  const active = rows[0]?.active ?? 0;
  if (active < maxStudioApps) return;
  throw new Refusal('limit_reached', {
    message: `The studio has ${active} active apps; it may have ${maxStudioApps}.`,
    action: 'End one that nobody uses: GET /api/operator/v1/apps shows how many connections each has.',
  });
}

const insertApp = (trx: Trx, id: string, { name, redirect_uris }: Body<typeof endpoint>, registered_by: string) =>
  trx
    .insertInto('oauth_clients')
    .values({
      ...clientRow({ clientId: showId('app', id), name, redirects: redirect_uris }),
      id,
      registered_by,
      updated_at: null, // until it ends
    })
    .execute();
