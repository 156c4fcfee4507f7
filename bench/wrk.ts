import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './run-tool.ts';

export type Load = {
  origin: string;
  method?: 'GET' | 'POST';
  /** Sent in turn; the token is null for a public route. A body of its own goes before that of all. */
  requests: { token: string | null; path: string; body?: unknown }[];
  body?: unknown;
  /** Beside those that each request has. */
  headers?: Record<string, string>;
  /** An Idempotency-Key of its own on each. */
  keyed?: boolean;
  connections: number;
  seconds: number;
};

/** Milliseconds; `refused` counts answers of status 503 that say when to come again. */
export type Measured = { perSecond: number; p50: number; p99: number; max: number; requests: number; refused: number };

type Told = {
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

/**
 * Load by wrk. Answers that are no success fail the bench, since a fast refusal is no figure; with `mayRefuse` those that are
 * no 503 with a `Retry-After` do.
 */
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
  const told = JSON.parse(result) as Told;
  if (told.failed > 0 || (mayRefuse ? told.wrong : told.bad_status) > 0)
    throw new Error(
      `${method} ${requests[0]?.path}: ${told.bad_status} refusals (${told.wrong} of them are no 503 with Retry-After), ${told.failed} failures of ${told.requests}.`,
    );
  return {
    perSecond: told.requests / (told.microseconds / 1e6),
    p50: told.p50,
    p99: told.p99,
    max: told.max,
    requests: told.requests,
    refused: told.later,
  };
}
