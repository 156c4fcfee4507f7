import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresHome } from './home.ts';

/** Whether processes can be found by their working folder, as on Linux. */
export const knowsProcesses = fs.existsSync('/proc/self/cwd');

/** A busy orphan would keep the next Postgres from starting. kill -9 is safe for the data. */
export async function endProcessesIn(folder: string, runAs: PostgresHome['runAs']): Promise<void> {
  for (const giveUp = performance.now() + 10_000; ; await sleep(20)) {
    const pids = processesIn(folder, runAs);
    if (pids.length === 0) return;
    if (performance.now() > giveUp) throw new Error(`Old Postgres processes do not end: ${pids.join(' ')}`);
    for (const pid of pids) signal(pid, 'SIGKILL');
  }
}

/** As the user of Postgres: root in a container may not read the folders of other processes. */
function processesIn(folder: string, runAs: PostgresHome['runAs']): number[] {
  if (!knowsProcesses) return [];
  const script = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$1" ] && echo "${p#/proc/}"; done; true';
  const search = spawnSync('/bin/sh', ['-c', script, 'sh', folder], {
    ...runAs,
    cwd: '/',
    encoding: 'utf8',
    env: {},
  });
  if (search.error) throw search.error;
  return search.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** A dead process that is not reaped, as in a container without an init, counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !knowsProcesses || !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code !== 'ESRCH' && code !== 'ENOENT';
  }
}
