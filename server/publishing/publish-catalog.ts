import type { publishCatalog as endpoint } from '../../contract/desk/catalog-versions.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Dependencies, publishAtDesk } from './publish-at-desk.ts';
import { sentDocuments } from './sent-documents.ts';

export async function publishCatalog(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { note = null, documents: sent } = request.body;
  const documents = await sentDocuments(dependencies.db, sent);
  return publishAtDesk(dependencies, request, { documents, note, republishedFrom: null });
}
