import * as brand from '../../contract/ordering/brand.ts';
import { route } from '../http/handle.ts';
import { readBrand } from './read-brand.ts';
import { readJobBrand } from './read-job-brand.ts';
import { replaceBrand } from './replace-brand.ts';

export const brandRoutes = [
  route(readBrand, brand.readBrand),
  route(replaceBrand, brand.replaceBrand),
  route(readJobBrand, brand.readJobBrand),
];
