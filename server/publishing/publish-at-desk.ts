import type { FastifyBaseLogger } from 'fastify';
import type { republishCatalog } from '../../contract/desk/catalog-versions.ts';
import { type Catalog } from '../catalog/catalog.ts';
import { type Documents, showProblem } from '../catalog/documents.ts';
import type { Provider } from '../billing/provider.ts';
import { verifyPrices } from '../billing/verify-prices.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { documentsOf, newestVersion, showVersion, type VersionRow } from './catalog-version.ts';
import { compare, problemsOf } from './problems-of.ts';
import type { Comparison } from './compare-documents.ts';
import { lockVersions, type Publication, publishVersion } from './publish-version.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';

export type Dependencies = {
  db: Db;
  log: FastifyBaseLogger;
  config: { catalogInFiles: boolean };
  provider: Provider;
  served: { readonly current: Catalog; adopt(): Promise<void> };
};
type PublishRequest = Pick<
  Request<typeof republishCatalog>,
  'keyOwner' | 'route' | 'idempotencyKey' | 'body' | 'caller' | 'cause'
>;

/** This process serves the version when it answers, the others a moment later. */
export async function publishAtDesk(
  { db, log, config, provider, served }: Dependencies,
  request: PublishRequest,
  publication: Publication,
  { retiresLeftOut = false } = {},
): Promise<AnswerOf<typeof republishCatalog>> {
  const { caller, body, cause } = request;
  if (config.catalogInFiles) throw new Refusal('catalog_in_files');
  // Before the transaction, which would hold a connection and a lock for that time.
  const base = await newestVersion(db);
  const before = await documentsOf(db, base);
  const { comparison } = await compare(db, { before, after: publication.documents }, retiresLeftOut);
  const documents = withPutBack(publication.documents, comparison);
  const answer = await withIdempotencyKey<AnswerOf<typeof republishCatalog>>(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const newest = await lockVersions(trx);
    refuseOutdated(newest, base, body.expected_version);
    const problems = await problemsOf(trx, comparison, publication.republishedFrom === null ? 'person' : 'start');
    if (problems.length > 0)
      throw new Refusal('invalid_catalog', {
        details: problems.map((problem) => ({ location: problem.file, message: showProblem(problem) })),
      });
    const version = await publishVersion(trx, newest, { ...publication, documents }, cause);
    return { status: 201, body: { catalog_version: showVersion(version) }, accountId: null };
  });
  await served.adopt();
  await verifyPrices({ db, log, catalog: served.current, provider });
  return answer;
}

const withPutBack = (documents: Documents, { putBack }: Comparison): Documents =>
  new Map([...documents, ...putBack.map(([file, bytes]) => [file, Buffer.from(bytes)] as const)]);

/** Also if the documents were compared with another version. */
function refuseOutdated(newest: VersionRow | null, compared: VersionRow | null, expected: number): void {
  if (newest?.number !== expected || compared?.number !== expected)
    throw new Refusal('catalog_changed', { message: `The newest version of the catalog is ${newest?.number ?? 0}.` });
}
