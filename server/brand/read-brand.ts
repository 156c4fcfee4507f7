import type { readBrand as endpoint } from '../../contract/ordering/brand.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { findBrand, showBrand } from './brand.ts';

export async function readBrand(
  { db }: { db: Db },
  { caller }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return { status: 200, body: { brand: showBrand(await findBrand(db, caller.accountId)) } };
}
