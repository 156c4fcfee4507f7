import { join } from 'node:path';
import type { Service } from './start-service.ts';
import { defaultSchema, planning } from '../server/db/pool.ts';
import { runTool } from './run-tool.ts';

type Control = { script: string; clients: number; seconds: number; variables?: Record<string, number> };

/** Transactions per second of a script in `bench/scripts` on the service's own cluster. */
export async function runPgbench({ socket }: Service, control: Control): Promise<number> {
  const { script, clients, seconds, variables = {} } = control;
  const file = join(import.meta.dirname, 'scripts', script);
  const options = [
    '-n',
    '-M',
    'prepared',
    '-h',
    socket,
    '-U',
    'atelier',
    '-c',
    clients,
    '-j',
    2,
    '-T',
    seconds,
    '-f',
    file,
  ];
  const set = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const output = await runTool('pgbench', [...options.map(String), ...set, 'atelier'], {
    PGOPTIONS: planning(defaultSchema),
  });
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1]);
  if (!(perSecond > 0) || /number of failed transactions: [1-9]/.test(output))
    throw new Error(`pgbench ${script} told no rate:\n${output}`);
  return perSecond;
}
