import { type AtelierError, type CatalogVersion, queryClient } from '../../app/api.ts';
import { notify } from '../../ui/page/page.tsx';

const readAgain = (...operations: string[]) => {
  for (const operation of operations) void queryClient.invalidateQueries({ queryKey: [operation] });
};

export function sayPublished(number: number): void {
  notify(`Version ${number} is published.`);
  // What is served changes with a version, unlike what other changes make old.
  readAgain('readCatalog', 'listPlans');
}

/** After a publication: `done` leaves the form. */
export const whenPublished = (done: (version: CatalogVersion) => void) => ({
  onSuccess: ({ catalog_version: version }: { catalog_version: CatalogVersion }) => {
    sayPublished(version.number);
    done(version);
  },
  // Somebody was first: their version is read, so that the page says who.
  onError: ({ code }: AtelierError) => code === 'catalog_changed' && readAgain('listCatalogVersions'),
});
