import type { FastifyBaseLogger } from 'fastify';
import type { checkCatalog as endpoint } from '../../contract/desk/catalog-versions.ts';
import type { Provider } from '../billing/provider.ts';
import { priceReasons } from '../billing/verify-prices.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { documentsOf, newestVersion } from './catalog-version.ts';
import { compare, problemsOf } from './problems-of.ts';
import { servicesInUse } from './services-in-use.ts';
import { isText } from '../catalog/documents.ts';
import { sentDocuments } from './sent-documents.ts';

/** Asks the payment provider only about documents that could be published. */
export async function checkCatalog(
  { db, log, provider }: { db: Db; log: FastifyBaseLogger; provider: Provider },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const after = await sentDocuments(db, body.documents);
  const before = await documentsOf(db, await newestVersion(db));
  const { with_prices = true, retire_left_out = false } = body;
  const { comparison, retired } = await compare(db, { before, after }, retire_left_out);
  const problems = await problemsOf(db, comparison, retire_left_out ? 'start' : 'person');
  const plans = problems.length === 0 && with_prices ? comparison.plans : [];
  const any_price = provider.name === 'sandbox';
  const verdicts = await priceReasons({ log, plans, provider });
  const prices = verdicts.map(({ plan, reason }) => ({ plan_code: plan.code, reason: any_price ? null : reason }));
  const catalog_check = {
    problems,
    changes: comparison.changes,
    prices,
    any_price,
    services: await servicesInUse(db, comparison.affected),
    cleaned: comparison.cleaned,
    retired: [...retired.services, ...retired.plans],
    put_back: comparison.putBack.map(([file, bytes]) => documentOf(file, Buffer.from(bytes))),
  };
  return { status: 200, body: { catalog_check } };
}

const documentOf = (file: string, bytes: Buffer) =>
  isText(file) ? { file, text: bytes.toString() } : { file, base64: bytes.toString('base64') };
