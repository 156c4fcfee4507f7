import { readdirSync, readFileSync } from 'node:fs';
import type { Service } from './start-service.ts';

/** Shares of one core that Node and Postgres used, memory in MB, and WAL bytes. */
export type Cost = { seconds: number; node: number; postgres: number; rss: number; wal: number };

/** Fields after the name in `/proc/<pid>/stat`: user and system time, also of ended children. */
const own = [11, 12];
const ended = [13, 14];

/** Linux counts in hundredths of a second. 0 if the process has ended. */
function cpuSeconds(pid: number, fields = own): number {
  const values = statOf(String(pid));
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0) / 100;
}

function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}

const parentOf = (pid: string): number => Number(statOf(pid)[1]);

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);

export const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** All Postgres processes, including ended ones, except the postmaster. */
const postgresSeconds = (postmaster: number): number =>
  childrenOf(postmaster).reduce((sum, pid) => sum + cpuSeconds(pid), cpuSeconds(postmaster, ended));

async function walPosition({ database }: Service): Promise<number> {
  const { rows } = await database.query<{ bytes: string }>("select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes");
  return Number(rows[0]?.bytes);
}

export async function withCost<T>(service: Service, work: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const [node, postgres, wal, began] = [
    cpuSeconds(service.pid),
    postgresSeconds(service.postmaster),
    await walPosition(service),
    performance.now(),
  ];
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  return {
    result,
    cost: {
      seconds,
      node: (cpuSeconds(service.pid) - node) / seconds,
      postgres: (postgresSeconds(service.postmaster) - postgres) / seconds,
      rss: residentMegabytes(service.pid),
      wal: (await walPosition(service)) - wal,
    },
  };
}
