import type { readDeliveryDraft as endpoint } from '../../../contract/desk/drafts.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { findDeliveryDraft } from './delivery-draft.ts';
import { jobKeyOf } from './desk-job.ts';

export async function readDeliveryDraft(
  { db }: { db: Db },
  { params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { draft: await findDeliveryDraft(db, await jobKeyOf(db, params.id)) } };
}
