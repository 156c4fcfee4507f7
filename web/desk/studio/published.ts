import { type AtelierError, type CatalogVersion, queryClient } from '../../app/api.ts';
import { notify } from '../../ui/page/notify.ts';

/** What is served changes with a version, unlike what other changes make old. */
export const published = ({ number }: CatalogVersion) => {
  notify(`Version ${number} is published.`);
  for (const operation of ['readCatalog', 'listPlans']) void queryClient.invalidateQueries({ queryKey: [operation] });
};

/** Somebody was first: their version is read, so that the page says who. */
export const readIfOvertaken = ({ code }: AtelierError) => {
  if (code === 'catalog_changed') void queryClient.invalidateQueries({ queryKey: ['listCatalogVersions'] });
};
