import type { ServerEventBus } from '@modelcontextprotocol/server';
import { readPatiently } from '../feed/stream-events.ts';
import { showId } from '../lib/id.ts';
import type { Hub } from '../events/hub.ts';
import type { ReadLog } from '../events/event.ts';
import type { FastifyBaseLogger } from 'fastify';

export const jobUri = (id: string): string => `atelier://jobs/${id}`;

type Dependencies = { hub: Hub; readLog: ReadLog; log: FastifyBaseLogger };
type Tell = Parameters<ServerEventBus['subscribe']>[0];
type Place = { accountId: string; after: number };

/** One bus per subscription, because the SDK would grant any URI to anybody. */
export const createEventBus = (dependencies: Dependencies, place: Place, ended: AbortSignal): ServerEventBus => ({
  publish() {}, // events come only from the log
  subscribe(tell) {
    const stopped = new AbortController();
    const warn = (error: unknown) => dependencies.log.warn({ err: error }, 'a subscription failed');
    void follow(dependencies, place, tell, AbortSignal.any([ended, stopped.signal])).catch(warn);
    return () => stopped.abort();
  },
});

async function follow({ hub, readLog }: Dependencies, { accountId, after }: Place, tell: Tell, ended: AbortSignal) {
  const watch = hub.watch(accountId, ended);
  for (let cursor = after; !ended.aborted;) {
    const rows = await readPatiently(readLog, { accountId, after: cursor }, () => ended.aborted);
    for (const { seq, job_id } of rows) {
      cursor = Number(seq);
      if (job_id !== null) tell({ kind: 'resource_updated', uri: jobUri(showId('job', job_id)) });
    }
    if (rows.length === 0) await watch.next();
  }
}
