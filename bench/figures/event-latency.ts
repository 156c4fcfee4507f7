import { setTimeout as sleep } from 'node:timers/promises';
import { createAccounts } from '../create-accounts.ts';
import { draft } from '../draft.ts';
import { type Row, toRow } from '../figure.ts';
import { openStreams } from '../open-streams.ts';
import { startProcess, withService } from '../start-service.ts';

const creates = 600;

/**
 * B15: from the beginning of a create's transaction in one process until its event is read from a stream of another, of which
 * 1,000 are open; both by the clock of this machine.
 */
export const eventLatency = (): Promise<Row[]> =>
  withService(async (service) => {
    const accounts = await createAccounts(service, 200);
    const other = await startProcess(service.folder, { DATABASE_URL: service.databaseUrl });
    const times: number[] = [];
    const sockets = await openStreams(other.origin, accounts, (text) => {
      for (const [, at] of text.matchAll(/"type":"job.created","created_at":"([^"]+)"/g))
        times.push(Date.now() - Date.parse(at ?? ''));
    });
    for (let n = 0; n < creates; n++) {
      const { token } = accounts[n % accounts.length] ?? { token: '' };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      await (
        await fetch(`${service.origin}/api/v1/jobs`, { method: 'POST', headers, body: JSON.stringify(draft) })
      ).arrayBuffer();
      await sleep(10);
    }
    await sleep(3_000);
    for (const socket of sockets) socket.destroy();
    await other.stop();
    if (times.length !== creates * 5) throw new Error(`Of ${creates * 5} events ${times.length} came.`);
    const ours = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
    const meaning = { figure: 'B15', title: 'commit to a stream of another process, p99', of: 'at most', unit: 'ms' };
    return [toRow({ ...meaning, goal: 1, lessIsBetter: true }, [{ ours: Math.max(ours, 1), limit: 100 }])];
  });
