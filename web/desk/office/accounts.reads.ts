import { type Place, readPages } from '../../app/reads.ts';

export const accountsReads = ({ search: { q } }: Place) => ({
  accounts: readPages('listAccounts', { query: { ...(q ? { q } : {}), limit: 100 } }),
});
