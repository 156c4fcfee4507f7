import type { republishCatalog as endpoint } from '../../contract/desk/catalog-versions.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { documentsOf, versionNumbered } from './catalog-version.ts';
import { type Dependencies, publishAtDesk } from './publish-at-desk.ts';

export async function republishCatalog(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { note = null } = request.body;
  const earlier = await versionNumbered(dependencies.db, request.params.number);
  const documents = await documentsOf(dependencies.db, earlier);
  const publication = { documents, note, republishedFrom: earlier.number };
  return publishAtDesk(dependencies, request, publication, { retiresLeftOut: true });
}
