import { catalogRead, readPages } from '../../app/reads.ts';

export const conciergeReads = () => ({
  catalog: catalogRead,
  sessions: readPages('listIntake', { query: { limit: 25 } }),
});
