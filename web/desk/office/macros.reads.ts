import { read } from '../../app/reads.ts';

export const macrosReads = () => ({ macros: read('listMacros') });
