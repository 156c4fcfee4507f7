import type { FastifyBaseLogger } from 'fastify';
import type { checkCatalog as endpoint } from '../../contract/catalog-versions.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Provider } from '../billing/provider.ts';
import { priceReasons } from '../billing/verify-prices.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { documentsOf, newestVersion } from './catalog-version.ts';
import { changesBetween } from './changes.ts';
import { checkDocuments } from './check-documents.ts';
import { sentDocuments } from './sent-documents.ts';

/** Asks the payment provider only about documents that could be published. */
export async function checkCatalog(
  { db, log, provider }: { db: Db; log: FastifyBaseLogger; provider: Provider },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const documents = await sentDocuments(db, body.documents);
  const newest = await newestVersion(db);
  const { catalog, problems } = await checkDocuments(db, documents, newest);
  const changes = changesBetween(newest ? await documentsOf(db, newest) : new Map(), documents);
  const verdicts = catalog ? await priceReasons({ log, catalog, provider }) : [];
  const prices = verdicts.map(({ plan, reason }) => ({ plan_code: plan.code, reason }));
  return { status: 200, body: { catalog_check: { problems, changes, prices } } };
}
