import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Account, createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { openStreams } from '../open-streams.ts';
import { type Service, startProcess, withService } from '../start-service.ts';

/** Seconds. A process is slow in its first second. */
const [warmUp, seconds] = [1, 4];

/** A process without notifications, as behind a transaction pooler. It polls every 250 ms. */
const deaf = { NODE_OPTIONS: `--import=${new URL('../scripts/hear-nothing.ts', import.meta.url).href}` };

/** B15: from the start of a create until another process with 1,000 streams sends its event. */
export const eventLatency = (): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 200);
    const row = (figure: string, title: string, ours: number, limit: number) =>
      toRow({ figure, title, of: 'at most', goal: 1, unit: 'ms', lessIsBetter: true }, [{ ours, limit }]);
    const latencyAt = (perSecond: number, settings = {}) => latencyTo(service, accounts, perSecond, settings);
    return [
      row('B15', 'commit to a stream of another process, 100/s, p99', await latencyAt(100), 100),
      row('B15 500', 'the same at 500/s', await latencyAt(500), 100),
      row('B15 2000', 'the same at 2,000/s', await latencyAt(2_000), 100),
      row('B15 unheard', 'the same at 100/s, looking every 250 ms', await latencyAt(100, deaf), 350),
    ];
  });

/** The 99th percentile in milliseconds. Five streams read each event, and none may be missing. */
async function latencyTo(
  service: Service,
  accounts: Account[],
  perSecond: number,
  settings: Record<string, string>,
): Promise<number> {
  const other = await startProcess(service.folder, { DATABASE_URL: service.databaseUrl, ...settings });
  const events: { at: number; ms: number }[] = [];
  const sockets = await openStreams(other.origin, accounts, (text) => {
    for (const [, created] of text.matchAll(/"type":"job.created","created_at":"([^"]+)"/g)) {
      const at = Date.parse(created ?? '');
      events.push({ at, ms: Date.now() - at });
    }
  });
  await sleep(3_000);
  const agent = new Agent({ keepAlive: true });
  const creates: Promise<void>[] = [];
  const count = perSecond * (warmUp + seconds);
  const measuredFrom = Date.now() + warmUp * 1_000;
  for (const began = performance.now(); creates.length < count; await sleep(2))
    while (creates.length < Math.min(count, ((performance.now() - began) / 1_000) * perSecond))
      creates.push(create(service, agent, accounts[creates.length % accounts.length]?.token ?? ''));
  await Promise.all(creates);
  await sleep(3_000);
  agent.destroy();
  for (const socket of sockets) socket.destroy();
  await other.stop();
  if (events.length !== count * 5) throw new Error(`Of ${count * 5} events ${events.length} came.`);
  const times = events.filter(({ at }) => at >= measuredFrom).map(({ ms }) => ms);
  return Math.max(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN, 1);
}

/** `fetch` would use too much of the measured processor. */
const create = ({ origin }: Service, agent: Agent, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    request(`${origin}/api/v1/jobs`, { method: 'POST', headers, agent }, (answer) => {
      if (answer.statusCode === 201) answer.resume().on('end', resolve);
      else reject(new Error(`A create was answered ${answer.statusCode}.`));
    })
      .on('error', reject)
      .end(JSON.stringify(draft));
  });
