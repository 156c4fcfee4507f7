import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { openStreams } from '../open-streams.ts';
import { type Service, startProcess, withService } from '../start-service.ts';

const seconds = 4;

/** A process that gets no notifications, as behind a transaction pooler: it looks for events every 250 ms. */
const deaf = { NODE_OPTIONS: `--import=${new URL('../scripts/hear-nothing.ts', import.meta.url).pathname}` };

/**
 * B15: from the beginning of a create's transaction in one process until its event is read from a stream of another, of which
 * 1,000 are open; both by the clock of this machine. Beside it the same where notifications are lost.
 */
export const eventLatency = (): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 200);
    const row = (figure: string, title: string, ours: number, limit: number) =>
      toRow({ figure, title, of: 'at most', goal: 1, unit: 'ms', lessIsBetter: true }, [{ ours, limit }]);
    const latencyAt = (perSecond: number, settings = {}) => latencyTo(service, accounts, perSecond, settings);
    return [
      row('B15', 'commit to a stream of another process, 100/s, p99', await latencyAt(100), 100),
      row('B15 500', 'the same at 500/s', await latencyAt(500), 100),
      row('B15 unheard', 'the same at 100/s, looking every 250 ms', await latencyAt(100, deaf), 350),
    ];
  });

/** The 99th percentile, in milliseconds, over creates whose events five streams each read. None may be missing. */
async function latencyTo(
  service: Service,
  accounts: Account[],
  perSecond: number,
  settings: Record<string, string>,
): Promise<number> {
  const other = await startProcess(service.folder, { DATABASE_URL: service.databaseUrl, ...settings });
  const times: number[] = [];
  const sockets = await openStreams(other.origin, accounts, (text) => {
    for (const [, at] of text.matchAll(/"type":"job.created","created_at":"([^"]+)"/g))
      times.push(Date.now() - Date.parse(at ?? ''));
  });
  await sleep(3_000);
  const creates: Promise<void>[] = [];
  for (const began = performance.now(); creates.length < perSecond * seconds; await sleep(2))
    while (creates.length < Math.min(perSecond * seconds, ((performance.now() - began) / 1_000) * perSecond))
      creates.push(create(service, accounts[creates.length % accounts.length]?.token ?? ''));
  await Promise.all(creates);
  await sleep(3_000);
  for (const socket of sockets) socket.destroy();
  await other.stop();
  if (times.length !== creates.length * 5) throw new Error(`Of ${creates.length * 5} events ${times.length} came.`);
  return Math.max(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN, 1);
}

async function create({ origin }: Service, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/jobs`, { method: 'POST', headers, body: JSON.stringify(draft) });
  if (answer.status !== 201) throw new Error(`A create was answered ${answer.status}.`);
  await answer.arrayBuffer();
}
