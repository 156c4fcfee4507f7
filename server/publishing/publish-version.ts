import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Documents } from '../catalog/documents.ts';
import { announce, type Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { type Files, filesOf, newestVersion, type VersionRow } from './catalog-version.ts';

/** The hub wakes who waits for a new version by this id, which no account has. */
export const catalogTopic = '00000000-0000-0000-0000-000000000000';

/** Publications follow one another, so that each is checked against the one before. */
export async function lockVersions(trx: Trx): Promise<VersionRow | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' catalog_versions', 0))`.execute(trx);
  return newestVersion(trx);
}

export type Publication = { documents: Documents; note: string | null; republishedFrom: number | null };

/** Call it with the locked newest version and checked documents. */
export async function publishVersion(
  trx: Trx,
  newest: VersionRow | null,
  { documents, note, republishedFrom }: Publication,
  cause: Cause,
): Promise<VersionRow> {
  const number = (newest?.number ?? 0) + 1;
  const files = filesOf(documents);
  await storeFiles(trx, files, documents);
  await sql`
    insert into catalog_versions (number, files, note, created_by, republished_from)
    values (${number}, ${JSON.stringify(files)}, ${note}, ${cause.userId}, ${republishedFrom})`.execute(trx);
  await appendAudit(trx, cause, { action: 'catalog.published', subject: String(number), accountId: null });
  announce(trx, catalogTopic);
  const published = await newestVersion(trx);
  if (published?.number !== number) throw new Error('A version was published without the lock.');
  return published;
}

async function storeFiles(trx: Trx, files: Files, documents: Documents): Promise<void> {
  const bytesByHash = new Map([...documents].map(([file, bytes]) => [files[file] ?? '', bytes]));
  await sql`
    insert into catalog_files (sha256, bytes)
    select * from unnest(${[...bytesByHash.keys()]}::text[], ${[...bytesByHash.values()]}::bytea[])
    on conflict do nothing`.execute(trx);
}
