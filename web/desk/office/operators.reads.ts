import { readPages } from '../../app/reads.ts';

export const operatorsReads = () => ({
  operators: readPages('listOperators'),
  invitations: readPages('listOperatorInvitations'),
});
