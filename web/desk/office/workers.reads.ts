import { read } from '../../app/reads.ts';

export const workersReads = () => ({
  keys: read('listWorkerKeys'),
  parked: read('listQueue', { query: { parked: true, sort: 'due', limit: 20 } }),
});
