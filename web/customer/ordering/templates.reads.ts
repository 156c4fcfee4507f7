import { readPages } from '../../app/reads.ts';

export const templatesRead = readPages('listTemplates', { query: { limit: 25 } });
export const templatesReads = () => ({ templates: templatesRead });
