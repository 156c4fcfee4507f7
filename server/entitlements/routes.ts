import * as entitlements from '../../contract/plans/entitlements.ts';
import { route } from '../http/handle.ts';
import { listEntitlements } from './list-entitlements.ts';
import { readMe } from './read-me.ts';

export const entitlementRoutes = [
  route(readMe, entitlements.readMe),
  route(listEntitlements, entitlements.listEntitlements),
];
