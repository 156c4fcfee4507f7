import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMetrics as endpoint } from '../../contract/probes.ts';
import type { Db } from '../db/pool.ts';
import type { Metrics } from '../lib/metrics.ts';
import { type Dependencies, readState } from './read-state.ts';

export async function readMetrics({
  db,
  metrics,
  dependencies,
}: {
  db: Db;
  metrics: Metrics;
  dependencies(): Dependencies;
}): Promise<AnswerOf<typeof endpoint>> {
  const { type, text } = await metrics.read(await readState(db, dependencies()));
  return { status: 200, body: text, headers: { 'content-type': type } };
}
