import { catalogRead, type Place, read } from '../../app/reads.ts';

export const newJobReads = ({ search: { from } }: Place) => ({
  catalog: catalogRead,
  earlier: from ? read('readJob', { path: { id: from } }) : undefined,
});
