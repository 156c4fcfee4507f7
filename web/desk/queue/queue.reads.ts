import { type Place, read, readPages } from '../../app/reads.ts';
import { countsRead } from '../frame.reads.ts';
import { queryAt } from './tabs.ts';

export function queueReads({ search }: Place) {
  const { family } = search;
  return {
    jobs: readPages('listQueue', { query: { ...queryAt(search), limit: 100 } }),
    counts: family ? read('countQueue', { query: { service_family: family } }) : countsRead,
    operators: read('listOperators'),
    views: read('listSavedViews'),
  };
}
