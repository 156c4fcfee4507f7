import { rm } from 'node:fs/promises';
import { type Round, type Row, toRow } from '../figure.ts';
import { newFolder, startProcess } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** Seconds of a start, as the service logs them, and how long it then took to answer that it is ready. */
type Parts = Record<string, number>;

/** B9: seconds from process start until it is ready, by part, with a new and with an existing database. */
export async function start({ rounds }: Settings): Promise<Row[]> {
  const [first, again]: [Parts[], Parts[]] = [[], []];
  for (let n = 0; n < rounds; n++) {
    const folder = await newFolder();
    first.push(await measureStart(folder));
    again.push(await measureStart(folder));
    await rm(folder, { recursive: true, force: true });
  }
  return [...rowsOf('B9', 'start, the first time', first, 4), ...rowsOf('B9 again', 'start, again', again, 2)];
}

function rowsOf(figure: string, title: string, measured: Parts[], limit: number): Row[] {
  const row = (part: string, title: string) => {
    const rounds = measured.map((parts): Round => ({ ours: parts[part] ?? 0, limit }));
    return toRow({ figure, title, of: 'at most', goal: 1, unit: 's', lessIsBetter: true }, rounds);
  };
  const parts = Object.keys(measured[0] ?? {}).filter((part) => part !== 'all');
  return [row('all', title), ...parts.map((part) => row(part, `${title}: ${part}`))];
}

async function measureStart(folder: string): Promise<Parts> {
  const began = performance.now();
  const { said, stop } = await startProcess(folder, { LOG_LEVEL: 'info' });
  const all = performance.now() - began;
  await stop();
  const [, logged = '{}'] = /"ms":(\{[^}]+\})/.exec(said()) ?? [];
  const ms = JSON.parse(logged) as Parts;
  const answer = all - Object.values(ms).reduce((sum, each) => sum + each, 0);
  return Object.fromEntries(Object.entries({ all, ...ms, answer }).map(([part, each]) => [part, each / 1_000]));
}
