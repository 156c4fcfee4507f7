import { type Place, readPages } from '../../app/reads.ts';
import { readStanding } from '../read-standing.ts';

export const accountsReads = ({ search: { q, standing: standingText } }: Place) => {
  const standing = readStanding(standingText);
  return {
    accounts: readPages('listAccounts', {
      query: { ...(q ? { q } : {}), ...(standing ? { standing } : {}), limit: 100 },
    }),
  };
};
