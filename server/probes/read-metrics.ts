import type { AnswerOf } from '../../contract/endpoint.ts';
import type { readMetrics as endpoint } from '../../contract/studio/probes.ts';
import type { Db } from '../db/pool.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { DatabaseWatch } from '../db/watch-database.ts';
import { type Parts, readDependencies } from './dependencies.ts';
import { readState } from './read-state.ts';

type Measured = Parts & {
  db: Db;
  metrics: Metrics;
  databaseWatch: Pick<DatabaseWatch, 'latest' | 'isFull' | 'problem'>;
};

export async function readMetrics({ db, metrics, ...parts }: Measured): Promise<AnswerOf<typeof endpoint>> {
  const dependencies = await readDependencies(parts, await parts.databaseWatch.latest());
  const { space } = await parts.storageWatch.latest();
  const signatures = parts.isCopy ? null : await parts.signatures.latest();
  const more = { loops: parts.loops.ages(), files: space, isCopy: parts.isCopy, signatures };
  const { type, text } = await metrics.read(await readState(db, dependencies, more));
  return { status: 200, body: text, headers: { 'content-type': type } };
}
