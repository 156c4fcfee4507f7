import { readPages } from '../../app/reads.ts';

export const filesReads = () => ({ files: readPages('listFiles', { query: { limit: 50 } }) });
