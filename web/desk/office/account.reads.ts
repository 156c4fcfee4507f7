import { type Place, read, readPages } from '../../app/reads.ts';

export const accountReads = ({ id }: Place) => ({
  account: read('readAccount', { path: { id } }),
  jobs: readPages('listQueue', { query: { account_id: id, sort: 'newest', limit: 50 } }),
});
