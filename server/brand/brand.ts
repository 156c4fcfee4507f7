import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { BrandFact, JobBrand, readBrand } from '../../contract/ordering/brand.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isoTime, type Time } from '../db/time.ts';
import { type FileRow, showFile } from '../jobs/job-file.ts';
import { showId } from '../lib/id.ts';

type Brand = Static<(typeof readBrand)['answers'][200]['schema']>['brand'];
export type Fact = Static<typeof BrandFact>;

export type BrandRow = {
  facts: Fact[];
  files: FileRow[];
  version: number;
  updated_at: Time | null;
  updated_by_user: string | null;
  updated_by_key: string | null;
  updated_by_name: string | null;
  updated_by_app: boolean;
};

/** The kit of an account; empty, in version 0, if it was never changed. */
export async function findBrand(db: Db | Trx, accountId: string): Promise<BrandRow> {
  const { rows } = await sql<BrandRow>`
    select coalesce(k.facts, '[]') as facts, coalesce(k.version, 0) as version, k.updated_at, k.updated_by_user,
      k.updated_by_key, coalesce((select name from people where id = k.updated_by_user),
        (select name from api_keys where id = k.updated_by_key)) as updated_by_name,
      coalesce((select app_client_id is not null from api_keys where id = k.updated_by_key), false) as updated_by_app,
      coalesce((select json_agg(f order by f.brand_position) from files f
        where f.account_id = ${accountId} and f.brand_position is not null and f.job_id is null), '[]') as files
    from accounts a left join brand_kits k on k.account_id = ${accountId}
    where a.id = ${accountId}`.execute(db);
  if (!rows[0]) throw new Error('An account vanished.');
  return rows[0];
}

export async function findFacts(db: Db | Trx, accountId: string): Promise<Fact[]> {
  const { rows } = await sql<{ facts: Fact[] }>`
    select facts from brand_kits where account_id = ${accountId}`.execute(db);
  return rows[0]?.facts ?? [];
}

export const showBrand = (row: BrandRow): Brand => ({
  facts: row.facts,
  file_ids: row.files.map(({ id }) => showId('file', id)),
  files: row.files.map(showFile),
  version: row.version,
  updated_at: row.updated_at === null ? null : isoTime(row.updated_at),
  updated_by: showEditor(row),
});

/** The person or the key. A deleted person keeps a row, without their name. */
function showEditor({ updated_by_user: user, updated_by_key: key, updated_by_name: name, updated_by_app }: BrandRow) {
  if (user !== null) return { kind: 'user' as const, id: showId('user', user), name: name ?? '' };
  const kind = updated_by_app ? ('app' as const) : ('api_key' as const);
  return key === null ? null : { kind, id: showId('key', key), name: name ?? '' };
}

/** As the studio reads it; null for an empty one. */
export const showJobBrand = (facts: Fact[] | null, files: readonly FileRow[]): Static<typeof JobBrand> | null =>
  facts?.length || files.length > 0 ? { facts: facts ?? [], files: files.map(showFile) } : null;
