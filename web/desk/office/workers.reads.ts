import { read } from '../../app/reads.ts';

export const workersReads = () => ({
  keys: read('listWorkerKeys'),
  held: read('listQueue', { query: { holder: 'worker' } }),
  parked: read('listQueue', { query: { parked: true, sort: 'due', limit: 20 } }),
});
