import { writeFile } from 'node:fs/promises';
import { claim } from './figures/claim.ts';
import { create } from './figures/create.ts';
import { memory } from './figures/memory.ts';
import { list } from './figures/list.ts';
import { messageLatency } from './figures/message-latency.ts';
import { mcp } from './figures/mcp.ts';
import { desk } from './figures/desk.ts';
import { createWithLog } from './figures/create-with-log.ts';
import { deliveries } from './figures/deliveries.ts';
import { eventLatency } from './figures/event-latency.ts';
import { idleStreams } from './figures/idle-streams.ts';
import { createWhileBusy } from './figures/create-while-busy.ts';
import { overload } from './figures/overload.ts';
import { latencyAlone } from './figures/latency-alone.ts';
import { twoProcesses } from './figures/two-processes.ts';
import { pollAndCatalog } from './figures/poll-and-catalog.ts';
import { start } from './figures/start.ts';
import { pause } from './figures/pause.ts';
import { usage } from './figures/usage.ts';
import type { Row } from './figure.ts';
import { printRow, writeResults } from './report.ts';
import { readSettings, type Settings } from './settings.ts';
import { versionOf } from './run-tool.ts';

/**
 * `npm run bench` compares the service with a limit measured in the same round on the same machine: Postgres
 * doing the same work alone, or Node doing nothing. Read the ratios, because the rates depend on the machine.
 * The load generator runs on it too, so the rates are low.
 */
type Measure = (settings: Settings) => Promise<Row[]>;
const figures: { names: string[]; measure: Measure }[] = [
  { names: ['B1', 'B2'], measure: create },
  { names: ['B3'], measure: pollAndCatalog },
  { names: ['B4'], measure: list },
  { names: ['B5'], measure: usage },
  { names: ['B6'], measure: latencyAlone },
  { names: ['B7'], measure: claim },
  { names: ['B8'], measure: memory },
  { names: ['B9'], measure: start },
  { names: ['B10'], measure: twoProcesses },
  { names: ['B11'], measure: createWhileBusy },
  { names: ['B12'], measure: overload },
  { names: ['B13'], measure: mcp },
  { names: ['B14'], measure: createWithLog },
  { names: ['B15'], measure: eventLatency },
  { names: ['B16'], measure: idleStreams },
  { names: ['B17'], measure: deliveries },
  { names: ['B18'], measure: messageLatency },
  { names: ['B19'], measure: desk },
  { names: ['B20'], measure: pause },
];

try {
  const settings = readSettings(
    process.argv.slice(2),
    figures.flatMap(({ names }) => names),
  );
  const { only } = settings;
  const tools = { wrk: await versionOf('wrk'), pgbench: await versionOf('pgbench') };
  const isSelected = (name: string) => only === null || only.includes(name);
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const { names, measure } of figures) {
    if (!names.some(isSelected)) continue;
    try {
      const measured = (await measure(settings)).filter(({ figure }) => isSelected(figure.split(' ')[0] ?? ''));
      measured.forEach(printRow);
      rows.push(...measured);
    } catch (error) {
      failures.push(`${names.join(', ')} could not be measured: ${messageOf(error)}`);
      process.stderr.write(`${failures.at(-1)}\n`);
      process.exitCode = 1;
    }
  }
  if (settings.json !== null) await writeFile(settings.json, `${JSON.stringify(rows.map(shortRow), null, 2)}\n`);
  // A partial table would replace the complete one.
  if (only === null) await writeResults(rows, failures, settings, tools);
} catch (error) {
  process.stderr.write(`The bench did not finish: ${messageOf(error)}\n`);
  process.exitCode = 1;
}

function shortRow({ figure, ours, limit, ratio, goal, unit }: Row) {
  return { figure, ours, limit, ratio, goal, unit };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
