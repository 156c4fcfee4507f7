import { sql } from 'kysely';
import { type Documents, showProblem } from '../catalog/documents.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { byService } from '../http/request.ts';
import { documentsOf, type Files, filesOf, newestVersion, type VersionRow } from './catalog-version.ts';
import { compareDocuments } from './compare-documents.ts';
import { problemsOf } from './problems-of.ts';
import { lockVersions, publishVersion } from './publish-version.ts';

type Terms = {
  dir: string;
  note: string | null;
  by: 'person' | 'start';
  isKnown(trx: Db | Trx, files: Files, newest: VersionRow | null): Promise<boolean>;
};

/**
 * What a start publishes: files that no version had yet, so that a restart does not undo what was published
 * at the desk. Where the catalog is kept in files, it publishes whatever differs from the newest version.
 */
export const publishAtStart = (db: Db, dir: string, documents: Documents, inFiles: boolean): Promise<VersionRow> =>
  publishFiles(db, documents, { dir, note: null, by: 'start', isKnown: inFiles ? isNewest : wasPublished });

/** What the command line publishes: whatever differs from the newest version. */
export const publishFolder = (db: Db, dir: string, documents: Documents, note: string | null): Promise<VersionRow> =>
  publishFiles(db, documents, { dir, note, by: 'person', isKnown: isNewest });

/** Of several processes, the first publishes. Throws an error with every problem of the files. */
async function publishFiles(db: Db, documents: Documents, { dir, note, by, isKnown }: Terms): Promise<VersionRow> {
  const files = filesOf(documents);
  const seen = await newestVersion(db);
  // Another process may already have published these files.
  if (seen && (await isKnown(db, files, seen))) return (await newestVersion(db)) ?? seen;
  return transact(db, async (trx) => {
    const newest = await lockVersions(trx);
    if (newest && (await isKnown(trx, files, newest))) return newest;
    const before = await documentsOf(trx, newest);
    const compared = { before, after: documents, retire: { services: [], plans: [] } };
    const problems = await problemsOf(trx, compareDocuments(compared), by);
    if (problems.length > 0)
      throw new Error(
        ['The catalog cannot be used:', ...problems.map((problem) => showProblem(problem, dir))].join('\n'),
      );
    return publishVersion(trx, newest, { documents, note, republishedFrom: null }, byService());
  });
}

async function wasPublished(db: Db | Trx, files: Files): Promise<boolean> {
  const { rows } = await sql`
    select from catalog_versions where files = ${JSON.stringify(files)}::jsonb limit 1`.execute(db);
  return rows.length > 0;
}

async function isNewest(db: Db | Trx, files: Files, newest: VersionRow | null): Promise<boolean> {
  const { rows } = await sql`
    select from catalog_versions
    where number = ${newest?.number ?? null} and files = ${JSON.stringify(files)}::jsonb`.execute(db);
  return rows.length > 0;
}
