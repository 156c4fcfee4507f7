import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

export type Load = {
  origin: string;
  method?: 'GET' | 'POST';
  /** Sent in turn. The token is null for a public route. A request's own body replaces the common one. */
  requests: { token: string | null; path: string; body?: unknown }[];
  body?: unknown;
  headers?: Record<string, string>;
  /** Adds an Idempotency-Key to each request. */
  keyed?: boolean;
  connections: number;
  seconds: number;
};

/** Milliseconds. `refused`: answers of 503 with `Retry-After`. */
export type Measured = { perSecond: number; p50: number; p99: number; max: number; requests: number; refused: number };

type WrkReport = {
  requests: number;
  microseconds: number;
  bad_status: number;
  failed: number;
  later: number;
  wrong: number;
  p50: number;
  p99: number;
  max: number;
};

/** An unsuccessful answer fails the bench. With `mayRefuse`, 503 with `Retry-After` is allowed. */
export async function runWrk(load: Load, { mayRefuse = false } = {}): Promise<Measured> {
  const { origin, method = 'GET', requests, headers = {}, keyed, connections, seconds } = load;
  const folder = await mkdtemp(join(tmpdir(), 'atelier-wrk-'));
  const list = join(folder, 'requests');
  const line = ({ token, path, body = load.body }: Load['requests'][number]) =>
    `${token ?? '-'} ${path} ${body === undefined ? '' : JSON.stringify(body)}\n`;
  await writeFile(list, requests.map(line).join(''));
  const script = join(import.meta.dirname, 'scripts/requests.lua');
  const threads = Math.min(2, connections);
  const options = ['-t', threads, '-c', connections, '-d', `${seconds}s`, '--timeout', '20s', '-s', script, origin];
  const env = {
    METHOD: method,
    HOST: new URL(origin).host,
    HEADERS: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
    REQUESTS: list,
    KEYED: keyed ? '1' : '0',
    STATUSES: mayRefuse ? '1' : '0',
  };
  const output = await runTool('wrk', options.map(String), env);
  await rm(folder, { recursive: true });
  const result = /^RESULT (.*)$/m.exec(output)?.[1];
  if (result === undefined) throw new Error(`wrk told nothing that is understood:\n${output}`);
  const report = JSON.parse(result) as WrkReport;
  if (report.failed > 0 || (mayRefuse ? report.wrong : report.bad_status) > 0)
    throw new Error(
      `${method} ${requests[0]?.path}: ${report.bad_status} refusals (${report.wrong} of them are no 503 with Retry-After), ${report.failed} failures of ${report.requests}.`,
    );
  return {
    perSecond: report.requests / (report.microseconds / 1e6),
    p50: report.p50,
    p99: report.p99,
    max: report.max,
    requests: report.requests,
    refused: report.later,
  };
}
