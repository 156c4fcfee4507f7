import { read } from '../../app/reads.ts';

/** Members may not see keys, so the page reads them itself. */
export const keysReads = () => ({ usage: read('readUsage') });
