import { sql } from 'kysely';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { ofFile } from '../catalog/documents.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Comparison } from './compare-documents.ts';

/** What is wrong in documents, else what they leave out although something refers to it. */
export async function problemsOf(
  db: Db | Trx,
  { problems, unclear, leftOut }: Comparison,
  by: 'person' | 'start',
): Promise<Problem[]> {
  if (problems.length > 0) return problems;
  return [
    ...(by === 'person' ? unclear : []),
    ...(await serviceReferences(db, leftOut.services)).map(asProblem('families.yaml')),
    ...(await planReferences(db, leftOut.plans)).map(asProblem('plans.yaml')),
  ];
}

/** `things`: the first kind of things that refer to it. */
type Reference = { id: string; things: string };

const asProblem =
  (file: string) =>
  ({ id, things }: Reference): Problem =>
    ofFile(file, `"${id}" is left out, but ${things} refer to it: keep it, and set retired: true`);

/** An option is `family/option`. */
async function serviceReferences(db: Db | Trx, ids: readonly string[]): Promise<Reference[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Reference>`
    select gone.id, things from unnest(${ids}::text[]) as gone (id)
    cross join lateral (select split_part(gone.id, '/', 1) as family, split_part(gone.id, '/', 2) as option)
    cross join lateral (select case
      when exists (select from jobs j where j.service_family = family and option in ('', j.service_type)) then 'jobs'
      when exists (
        select from intake_sessions i where i.status in ('open', 'brief_ready')
          and i.draft ->> 'service_family' = family and option in ('', i.draft ->> 'service_type')) then 'open drafts'
      when exists (select from templates t where t.service_family = family and option in ('', t.service_type))
        then 'templates'
      when option = '' and exists (select from operator_settings o where family = any(o.service_families))
        then 'operators'
      when option = '' and exists (select from worker_keys w where family = any(w.service_families)) then 'worker keys'
    end as things)
    where things is not null order by gone.id`.execute(db);
  return rows;
}

async function planReferences(db: Db | Trx, codes: readonly string[]): Promise<Reference[]> {
  if (codes.length === 0) return [];
  const { rows } = await sql<Reference>`
    select gone.id, things from unnest(${codes}::text[]) as gone (id)
    cross join lateral (select case
      when exists (select from entitlements e where e.code = gone.id) then 'entitlements'
      when exists (select from checkouts c where c.code = gone.id and c.expires_at > now()) then 'open checkouts'
    end as things)
    where things is not null order by gone.id`.execute(db);
  return rows;
}
