import type { FastifyBaseLogger } from 'fastify';
import type { checkCatalog as endpoint } from '../../contract/desk/catalog-versions.ts';
import type { Provider } from '../billing/provider.ts';
import { priceReasons } from '../billing/verify-prices.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { documentsOf, newestVersion } from './catalog-version.ts';
import { compareInThread } from './compare-in-thread.ts';
import { problemsOf } from './problems-of.ts';
import { sentDocuments } from './sent-documents.ts';

/** Asks the payment provider only about documents that could be published. */
export async function checkCatalog(
  { db, log, provider }: { db: Db; log: FastifyBaseLogger; provider: Provider },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const after = await sentDocuments(db, body.documents);
  const before = await documentsOf(db, await newestVersion(db));
  const comparison = await compareInThread({ before, after });
  const problems = await problemsOf(db, comparison, 'person');
  const plans = problems.length === 0 ? comparison.plans : [];
  const verdicts = await priceReasons({ log, plans, provider });
  const prices = verdicts.map(({ plan, reason }) => ({ plan_code: plan.code, reason }));
  return { status: 200, body: { catalog_check: { problems, changes: comparison.changes, prices } } };
}
