import type { readCatalogVersion as endpoint } from '../../contract/desk/catalog-versions.ts';
import { isText } from '../catalog/documents.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { documentsOf, showVersion, versionNumbered } from './catalog-version.ts';
import { changesBetween } from './changes.ts';

export async function readCatalogVersion(
  { db }: { db: Db },
  { params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const version = await versionNumbered(db, params.number);
  const before = version.number === 1 ? null : await versionNumbered(db, String(version.number - 1));
  const [now, earlier] = [await documentsOf(db, version), await documentsOf(db, before)];
  const documents = Array.from(now, ([file, bytes]) => ({
    file,
    text: isText(file) ? bytes.toString() : null,
    sha256: version.files[file] ?? '',
    size_bytes: bytes.length,
  }));
  const changes = changesBetween(earlier, now);
  return { status: 200, body: { catalog_version: { ...showVersion(version), documents, changes } } };
}
