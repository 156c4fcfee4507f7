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
