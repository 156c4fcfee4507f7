import type { readIntake as endpoint } from '../../contract/ordering/intake.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { ownedSession, showSession } from './session.ts';
import type { Db } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';

export async function readIntake(
  { db, catalog }: { db: Db; catalog: Catalog },
  { caller, params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const session = await ownedSession(db, caller.accountId, params.id);
  return { status: 200, body: { intake_session: await showSession(db, catalog, session) } };
}
