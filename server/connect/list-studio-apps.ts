import { sql } from 'kysely';
import type { listStudioApps as endpoint } from '../../contract/desk/studio-apps.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showStudioApp, studioApps } from '../keys/studio-app.ts';
import type { Signer } from '../lib/signer.ts';

export async function listStudioApps(
  { db, signer }: { db: Db; signer: Signer },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listStudioApps'];
  const from = readCursor(signer, scope, cursor);
  const later = from === null ? sql`true` : sql`(c.created_at, c.id) < (${from.at}, ${from.id}::uuid)`;
  const { page, next_cursor } = cutPage(signer, scope, await studioApps(db, later, limit + 1), limit, byCreation);
  return { status: 200, body: { apps: page.map(showStudioApp), next_cursor } };
}
