import { monthOf } from './money.reads.ts';
import { type Place, readPages } from '../../app/reads.ts';

/** What needs a look comes first. */
export const outcomeOf = ({ outcome }: Place['search']): 'look' | 'ignored' | 'processed' | 'all' =>
  outcome === 'all' || outcome === 'processed' || outcome === 'ignored' ? outcome : 'look';

export function paymentsReads({ search }: Place) {
  const outcome = outcomeOf(search);
  const month = monthOf(search);
  return {
    events: readPages('listProviderEvents', { query: { ...queryOf(outcome), ...(month ? { month } : {}), limit: 50 } }),
  };
}

function queryOf(outcome: ReturnType<typeof outcomeOf>) {
  if (outcome === 'all') return {};
  return outcome === 'look' ? { needs_look: true } : { outcome };
}
