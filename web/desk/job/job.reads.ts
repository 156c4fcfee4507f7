import { type Place, read } from '../../app/reads.ts';

export const jobReads = ({ id }: Place) => ({
  job: read('readDeskJob', { path: { id } }),
  draft: read('readDeliveryDraft', { path: { id } }),
  thread: read('listDeskMessages', { path: { id } }),
  comments: read('listDeskComments', { path: { id } }),
  operators: read('listOperators'),
});
