import * as catalog from '../../contract/ordering/catalog.ts';
import { route } from '../http/handle.ts';
import { readCatalog } from './read-catalog.ts';

export const catalogRoutes = [route(readCatalog, catalog.readCatalog)];
