import type { CatalogProblem as Problem, DocumentChange } from '../../contract/desk/catalog-versions.ts';
import { type Catalog, offeredPlans, type Plan } from '../catalog/catalog.ts';
import { type Documents, ofFile, placeOf } from '../catalog/documents.ts';
import { type Loaded, loadDocuments } from '../catalog/load-catalog.ts';
import type { Cleaned } from '../catalog/load-marks.ts';
import { changesBetween } from './changes.ts';
import { type Ids, putBack } from './put-back.ts';

/** `before`: empty if there is no version yet. `retire`: what is put back from there, retired. */
export type Compared = { before: Documents; after: Documents; retire: Ids };

export type Comparison = {
  problems: Problem[];
  /** What keeps a person from publishing. A start takes it, because earlier versions were published so. */
  unclear: Problem[];
  changes: DocumentChange[];
  /** That are offered; empty while there are problems. */
  plans: Plan[];
  /** That are no longer in the catalog. */
  leftOut: Ids;
  /** Options that change or end, and families whose requirements do; none while there are problems. */
  affected: string[];
  cleaned: Cleaned[];
  /** The documents that something was put back into. */
  putBack: [file: string, bytes: Uint8Array][];
};

/** What documents say, and what is different from those before. */
export function compareDocuments({ before, after: sent, retire }: Compared): Comparison {
  const back = putBack(before, sent, retire);
  const after = new Map([...sent, ...back]);
  const { catalog, problems, named, cleaned } = loadDocuments(after);
  // Reading takes long, and broken documents are compared with nothing.
  const earlier = named.services || named.plans ? loadDocuments(before) : null;
  return {
    problems,
    unclear: catalog?.lacksTimeZone ? [withoutTimeZone(after)] : [],
    changes: changesBetween(before, after),
    plans: catalog ? offeredPlans(catalog) : [],
    leftOut: {
      services: missing(earlier?.named.services, named.services),
      plans: missing(earlier?.named.plans, named.plans),
    },
    affected: catalog && earlier?.catalog ? affectedBy(earlier.catalog, catalog) : [],
    cleaned,
    putBack: [...back],
  };
}

type Named = Loaded['named']['services'];

const missing = (before: Named | undefined, now: Named): string[] => (before && now ? [...before.difference(now)] : []);

function affectedBy(before: Catalog, now: Catalog): string[] {
  const differs = (old: unknown, next: unknown) => JSON.stringify(old) !== JSON.stringify(next);
  return [...before.families.values()].flatMap((family) => {
    const next = now.families.get(family.id);
    const options = family.options.filter((option) =>
      differs(
        option,
        next?.options.find(({ id }) => id === option.id),
      ),
    );
    return [
      ...(differs(family.intake_requirements, next?.intake_requirements) ? [family.id] : []),
      ...options.map(({ id }) => `${family.id}/${id}`),
    ];
  });
}

function withoutTimeZone(documents: Documents): Problem {
  const text = documents.get('studio.yaml')?.toString('utf8') ?? '';
  const place = placeOf(text, Math.max(0, text.search(/^["']?hours\b/m)));
  const message = 'time_zone: is required with hours, such as Europe/Berlin; without it they would count in UTC';
  return { ...ofFile('studio.yaml', message), ...place, path: '/time_zone' };
}
