import { withCost } from './cost.ts';
import type { Round } from './figure.ts';
import type { Service } from './start-service.ts';
import { type Load, runWrk } from './wrk.ts';

export async function measureLoad(service: Service, load: Omit<Load, 'origin'>): Promise<Omit<Round, 'limit'>> {
  const { result, cost } = await withCost(service, () => runWrk({ origin: service.origin, ...load }));
  return { ours: result.perSecond, measured: result, cost };
}
