import { sql } from 'kysely';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { type Documents, ofFile } from '../catalog/documents.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Comparison } from './compare-documents.ts';
import { compareInThread } from './compare-in-thread.ts';
import type { Ids } from './put-back.ts';

const nothing: Ids = { services: [], plans: [] };

/** If asked, what documents leave out although something refers to it is put back first, retired. */
export async function compare(
  db: Db,
  compared: { before: Documents; after: Documents },
  retiresLeftOut: boolean,
): Promise<{ comparison: Comparison; retired: Ids }> {
  const comparison = await compareInThread({ ...compared, retire: nothing });
  if (!retiresLeftOut) return { comparison, retired: nothing };
  const retired: Ids = {
    services: (await serviceReferences(db, comparison.leftOut.services)).map(({ id }) => id),
    plans: (await planReferences(db, comparison.leftOut.plans)).map(({ id }) => id),
  };
  if (retired.services.length + retired.plans.length === 0) return { comparison, retired };
  return { comparison: await compareInThread({ ...compared, retire: retired }), retired };
}

/** What is wrong in documents, and what they leave out although something refers to it. */
export async function problemsOf(
  db: Db | Trx,
  { problems, unclear, leftOut }: Comparison,
  by: 'person' | 'start',
): Promise<Problem[]> {
  return [
    ...problems,
    ...(by === 'person' ? unclear : []),
    ...(await serviceReferences(db, leftOut.services)).map(asProblem('families.yaml', '/families')),
    ...(await planReferences(db, leftOut.plans)).map(asProblem('plans.yaml', '/plans')),
  ];
}

/** `things`: the kinds of things that refer to it. */
type Reference = { id: string; things: string[] };

const list = new Intl.ListFormat('en');

const asProblem =
  (file: string, path: string) =>
  ({ id, things }: Reference): Problem => ({
    ...ofFile(file, `"${id}" is left out, but ${list.format(things)} refer to it: keep it, and set retired: true`),
    path,
  });

/** An option is `family/option`. */
async function serviceReferences(db: Db | Trx, ids: readonly string[]): Promise<Reference[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Reference>`
    select gone.id, array_remove(array[
      case when exists (select from jobs j where j.service_family = family and option in ('', j.service_type))
        then 'jobs' end,
      case when exists (
        select from intake_sessions i where i.status in ('open', 'brief_ready')
          and i.draft ->> 'service_family' = family and option in ('', i.draft ->> 'service_type'))
        then 'open drafts' end,
      case when exists (select from templates t where t.service_family = family and option in ('', t.service_type))
        then 'templates' end,
      case when option = '' and exists (select from operator_settings o where family = any(o.service_families))
        then 'operators' end,
      case when option = '' and exists (select from worker_keys w where family = any(w.service_families))
        then 'worker keys' end,
      case when option = '' and exists (select from saved_views v where v.filter ->> 'service_family' = family)
        then 'saved views' end
    ], null) as things
    from unnest(${ids}::text[]) as gone (id)
    cross join lateral (select split_part(gone.id, '/', 1) as family, split_part(gone.id, '/', 2) as option)
    order by gone.id`.execute(db);
  return rows.filter(({ things }) => things.length > 0);
}

async function planReferences(db: Db | Trx, codes: readonly string[]): Promise<Reference[]> {
  if (codes.length === 0) return [];
  const { rows } = await sql<Reference>`
    select gone.id, array_remove(array[
      case when exists (select from entitlements e where e.code = gone.id) then 'entitlements' end,
      case when exists (select from checkouts c where c.code = gone.id and c.expires_at > now())
        then 'open checkouts' end
    ], null) as things
    from unnest(${codes}::text[]) as gone (id) order by gone.id`.execute(db);
  return rows.filter(({ things }) => things.length > 0);
}
