import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Documents } from '../catalog/documents.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';

/** The sha256 of each file, by its name. */
export type Files = Record<string, string>;

export type VersionRow = {
  number: number;
  files: Files;
  note: string | null;
  created_by: string | null;
  creator_name: string | null;
  republished_from: number | null;
  created_at: Date;
};

const versions = sql`
  select v.*, u.name as creator_name from catalog_versions v left join people u on u.id = v.created_by`;

export const showVersion = ({ number, note, created_by, creator_name, republished_from, created_at }: VersionRow) => ({
  number,
  note,
  created_by:
    created_by === null ? null : { kind: 'user' as const, id: showId('user', created_by), name: creator_name ?? '' },
  created_at: created_at.toISOString(),
  republished_from,
});

/** Newest first, from before a number on. */
export async function listVersions(db: Db, before: number | null, limit: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    ${versions} ${before === null ? sql`` : sql`where v.number < ${before}`}
    order by v.number desc limit ${limit}`.execute(db);
  return rows;
}

export async function newestVersion(db: Db | Trx): Promise<VersionRow | null> {
  const { rows } = await sql<VersionRow>`${versions} order by v.number desc limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function versionNumbered(db: Db | Trx, number: string): Promise<VersionRow> {
  const parsed = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  const { rows } = await sql<VersionRow>`${versions} where v.number = ${parsed}`.execute(db);
  if (!rows[0]) throw new Refusal('catalog_version_not_found');
  return rows[0];
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

export const filesOf = (documents: Documents): Files =>
  Object.fromEntries([...documents].map(([file, bytes]) => [file, sha256(bytes)]));

export async function storedFiles(db: Db | Trx, hashes: Iterable<string>): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await sql<{ sha256: string; bytes: Buffer }>`
    select sha256, bytes from catalog_files where sha256 = any(${[...new Set(hashes)]})`.execute(db);
  return new Map(rows.map((row) => [row.sha256, row.bytes]));
}

/** None of no version. */
export async function documentsOf(db: Db | Trx, version: Pick<VersionRow, 'files'> | null): Promise<Documents> {
  const files = version?.files ?? {};
  const stored = await storedFiles(db, Object.values(files));
  return new Map(
    Object.entries(files)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, hash]) => [file, stored.get(hash) ?? Buffer.alloc(0)]),
  );
}
