import type { CatalogProblem as Problem, DocumentChange } from '../../contract/desk/catalog-versions.ts';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import { type Documents, placeOf } from '../catalog/documents.ts';
import { loadDocuments } from '../catalog/load-catalog.ts';
import { changesBetween } from './changes.ts';

/** `before`: empty if there is no version yet. */
export type Compared = { before: Documents; after: Documents };

export type Comparison = {
  problems: Problem[];
  /** What keeps a person from publishing. A start takes it, because earlier versions were published so. */
  unclear: Problem[];
  changes: DocumentChange[];
  /** That are offered; empty while there are problems. */
  plans: Plan[];
  /** Ids that are no longer in the catalog. An option is `family/option`. */
  leftOut: { services: string[]; plans: string[] };
};

/** What documents say, and what is different from those before. */
export function compareDocuments({ before, after }: Compared): Comparison {
  const { catalog, problems } = loadDocuments(after);
  const earlier = catalog && loadDocuments(before).catalog;
  return {
    problems,
    unclear: catalog?.lacksTimeZone ? [withoutTimeZone(after)] : [],
    changes: changesBetween(before, after),
    plans: catalog ? offeredPlans(catalog) : [],
    leftOut: {
      services: earlier ? [...servicesOf(earlier).difference(servicesOf(catalog))] : [],
      plans: earlier ? [...earlier.plans.keys()].filter((code) => !catalog.plans.has(code)) : [],
    },
  };
}

function withoutTimeZone(documents: Documents): Problem {
  const text = documents.get('studio.yaml')?.toString('utf8') ?? '';
  const place = placeOf(text, Math.max(0, text.search(/^["']?hours\b/m)));
  const message = 'time_zone: is required with hours, such as Europe/Berlin; without it they would count in UTC';
  return { file: 'studio.yaml', ...place, message };
}

const servicesOf = ({ families, retired }: Catalog) =>
  new Set([
    ...retired,
    ...[...families.values()].flatMap(({ id, options }) => [id, ...options.map((option) => `${id}/${option.id}`)]),
  ]);
