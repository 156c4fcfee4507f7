import * as contract from '../../contract/openapi.ts';
import { route } from '../http/handle.ts';
import { readOpenapi } from './read-openapi.ts';

export const referenceRoutes = [route(readOpenapi, contract.readOpenapi)];
