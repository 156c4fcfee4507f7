import { readPages } from '../../app/reads.ts';

export const draftsRead = readPages('listIntake', { query: { status: ['open', 'brief_ready'], limit: 10 } });
