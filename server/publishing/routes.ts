import * as versions from '../../contract/desk/catalog-versions.ts';
import { route } from '../http/handle.ts';
import { checkCatalog } from './check-catalog.ts';
import { listCatalogVersions } from './list-catalog-versions.ts';
import { publishCatalog } from './publish-catalog.ts';
import { readCatalogVersion } from './read-catalog-version.ts';
import { republishCatalog } from './republish-catalog.ts';

export const publishingRoutes = [
  route(listCatalogVersions, versions.listCatalogVersions),
  route(readCatalogVersion, versions.readCatalogVersion),
  route(checkCatalog, versions.checkCatalog),
  route(publishCatalog, versions.publishCatalog),
  route(republishCatalog, versions.republishCatalog),
];
