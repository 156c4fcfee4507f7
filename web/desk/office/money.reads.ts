import { type Place, read, readPages } from '../../app/reads.ts';

export const monthOf = ({ month }: Place['search']): string | undefined =>
  month && /^[12]\d{3}-(?:0[1-9]|1[0-2])$/.test(month) ? month : undefined;

export function moneyReads({ search }: Place) {
  const month = monthOf(search);
  return {
    money: read('readMoney', month ? { query: { month } } : {}),
    prices: read('readPrices'),
    look: readPages('listProviderEvents', { query: { needs_look: true, limit: 25 } }),
  };
}

/** What needs a look comes first. */
export const outcomeOf = ({ outcome }: Place['search']): 'look' | 'ignored' | 'processed' | 'all' =>
  outcome === 'all' || outcome === 'processed' || outcome === 'ignored' ? outcome : 'look';

export function paymentsReads({ search }: Place) {
  const outcome = outcomeOf(search);
  const month = monthOf(search);
  const ofOutcome = outcome === 'look' ? { needs_look: true } : outcome === 'all' ? {} : { outcome };
  return {
    events: readPages('listProviderEvents', { query: { ...ofOutcome, ...(month ? { month } : {}), limit: 50 } }),
  };
}
