import { type Place, read } from '../../app/reads.ts';

export const jobReads = ({ id }: Place) => ({
  job: read('readJob', { path: { id } }),
  thread: read('listMessages', { path: { id } }),
});
