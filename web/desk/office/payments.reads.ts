import { type Place, read, readPages } from '../../app/reads.ts';

/** Ignored events come first. */
export const outcomeOf = ({ outcome }: Place['search']) =>
  outcome === 'all' || outcome === 'processed' ? outcome : 'ignored';

export function paymentsReads({ search }: Place) {
  const outcome = outcomeOf(search);
  return {
    prices: read('readPrices'),
    events: readPages('listProviderEvents', { query: { ...(outcome === 'all' ? {} : { outcome }), limit: 50 } }),
  };
}
