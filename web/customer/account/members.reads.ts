import { read } from '../../app/reads.ts';

/** Invitations are read by the page itself: members of the account may not see them. */
export const membersReads = () => ({ members: read('listMembers') });
