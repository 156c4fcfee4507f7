import { catalogRead, meRead, read, sessionRead } from '../app/reads.ts';

export const countsRead = read('countJobs');

export const frameReads = () => ({ session: sessionRead, me: meRead, counts: countsRead, catalog: catalogRead });
