import { type Place, read } from '../../app/reads.ts';

export const jobReads = ({ id }: Place) => ({
  job: read('readDeskJob', { path: { id } }),
  operators: read('listOperators'),
});
