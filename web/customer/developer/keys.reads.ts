import { read } from '../../app/reads.ts';

/** Keys are read by the page itself: members of the account may not see them. */
export const keysReads = () => ({ usage: read('readUsage') });
