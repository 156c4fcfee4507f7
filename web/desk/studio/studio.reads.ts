import { type Place, read, readPages } from '../../app/reads.ts';

export const newestRead = read('listCatalogVersions', { query: { limit: 1 } });

export const versionRead = (number: string | number) =>
  read('readCatalogVersion', { path: { number: String(number) } });

export const studioReads = ({ search: { part, version } }: Place) => ({
  newest: newestRead,
  versions: part === 'versions' && version === undefined ? readPages('listCatalogVersions') : undefined,
  version: part === 'versions' && version !== undefined ? versionRead(version) : undefined,
});
