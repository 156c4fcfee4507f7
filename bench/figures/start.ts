import { rm } from 'node:fs/promises';
import { type Round, type Row, toRow } from '../figure.ts';
import { newFolder, startProcess } from '../start-service.ts';
import type { Settings } from '../settings.ts';

/** B9: seconds from process start until it is ready, with a new database and with an existing one. */
export async function start({ rounds }: Settings): Promise<Row[]> {
  const [first, again]: [Round[], Round[]] = [[], []];
  for (let n = 0; n < rounds; n++) {
    const folder = await newFolder();
    first.push({ ours: await secondsToStart(folder), limit: 4 });
    again.push({ ours: await secondsToStart(folder), limit: 2 });
    await rm(folder, { recursive: true, force: true });
  }
  const row = (figure: string, title: string, rounds: Round[]) =>
    toRow({ figure, title, of: 'at most', goal: 1, unit: 's', lessIsBetter: true }, rounds);
  return [row('B9', 'start, the first time', first), row('B9 again', 'start, again', again)];
}

async function secondsToStart(folder: string): Promise<number> {
  const began = performance.now();
  const { stop } = await startProcess(folder);
  const seconds = (performance.now() - began) / 1_000;
  await stop();
  return seconds;
}
