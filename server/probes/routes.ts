import * as probes from '../../contract/studio/probes.ts';
import { route } from '../http/handle.ts';
import { readHealth } from './read-health.ts';
import { readMetrics } from './read-metrics.ts';
import { readReadiness } from './read-readiness.ts';

export const probeRoutes = [
  route(readHealth, probes.readHealth),
  route(readReadiness, probes.readReadiness),
  route(readMetrics, probes.readMetrics),
];
