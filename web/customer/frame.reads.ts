import { catalogRead, meRead, read, sessionRead } from '../app/reads.ts';

export const countsRead = read('countJobs');

/** What the frame reads, whatever page is in it. */
export const frameReads = () => ({ session: sessionRead, me: meRead, counts: countsRead, catalog: catalogRead });
