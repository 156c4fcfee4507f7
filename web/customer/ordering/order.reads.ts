import { type Place, read } from '../../app/reads.ts';

export const orderReads = ({ id }: Place) => ({
  order: read('readOrder', { path: { id } }),
  members: read('listMembers'),
});
