import { read } from '../../app/reads.ts';

/** Members may not see invitations, so the page reads them itself. */
export const membersReads = () => ({ members: read('listMembers') });
