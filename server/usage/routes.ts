import * as usage from '../../contract/plans/usage.ts';
import { route } from '../http/handle.ts';
import { readUsage } from './read-usage.ts';

export const usageRoutes = [route(readUsage, usage.readUsage)];
