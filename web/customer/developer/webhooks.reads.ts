import { read } from '../../app/reads.ts';

export const webhooksReads = () => ({ endpoints: read('listWebhookEndpoints') });
