import { type Place, read, readPages } from '../../app/reads.ts';
import { countsRead } from '../frame.reads.ts';
import { readStanding } from '../read-standing.ts';
import { tabOf } from './tabs.ts';

export function queueReads({ search: { tab, family, holder, standing: standingText, q } }: Place) {
  const standing = readStanding(standingText);
  const query = {
    ...tabOf(tab).query,
    ...(family ? { service_family: family } : {}),
    ...(holder ? { holder } : {}),
    ...(standing ? { standing } : {}),
    ...(q ? { q } : {}),
    limit: 100,
  };
  return {
    jobs: readPages('listQueue', { query }),
    counts: family ? read('countQueue', { query: { service_family: family } }) : countsRead,
    operators: read('listOperators'),
  };
}
