import type { CatalogProblem as Problem, DocumentChange } from '../../contract/desk/catalog-versions.ts';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import type { Documents } from '../catalog/documents.ts';
import { loadDocuments } from '../catalog/load-catalog.ts';
import { changesBetween } from './changes.ts';

/** `before`: empty if there is no version yet. */
export type Compared = { before: Documents; after: Documents };

export type Comparison = {
  problems: Problem[];
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
    changes: changesBetween(before, after),
    plans: catalog ? offeredPlans(catalog) : [],
    leftOut: {
      services: earlier ? [...servicesOf(earlier).difference(servicesOf(catalog))] : [],
      plans: earlier ? [...earlier.plans.keys()].filter((code) => !catalog.plans.has(code)) : [],
    },
  };
}

const servicesOf = ({ families, retired }: Catalog) =>
  new Set([
    ...retired,
    ...[...families.values()].flatMap(({ id, options }) => [id, ...options.map((option) => `${id}/${option.id}`)]),
  ]);
