import { readPages } from '../../app/reads.ts';

export const appsReads = () => ({ apps: readPages('listStudioApps') });
