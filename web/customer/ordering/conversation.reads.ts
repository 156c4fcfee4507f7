import { catalogRead, type Place, read } from '../../app/reads.ts';

export const conversationReads = ({ id }: Place) => ({
  session: read('readIntake', { path: { id } }),
  catalog: catalogRead,
});
