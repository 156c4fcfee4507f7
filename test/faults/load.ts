import { Agent, type AgentOptions, type IncomingMessage, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { answerFault } from '../support/answers.ts';

/** What came of one request. `status` 0: no whole answer came. */
export type Outcome = {
  method: string;
  path: string;
  began: number;
  ms: number;
  status: number;
  /** The code of a failure. */
  code: string | null;
  retryAfter: string | null;
  /** Why it is no answer that the OpenAPI document promises, or a 503 that does not say when to ask again. */
  fault: string | null;
  // A test reads any field of an answer, which was held against the OpenAPI document.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
};

type Asking = { as?: string | undefined; body?: unknown; key?: string };
export type Asks = ((method: string, path: string, asking?: Asking) => Promise<Outcome>) & { close(): void };

const patience = 15_000;

/** Asks over connections that stay open, and measures; it never throws. */
export function asksTo(origin: string, options: AgentOptions = {}): Asks {
  const agent = new Agent({ keepAlive: true, maxSockets: 200, ...options });
  const asks = (method: string, path: string, { as, body, key }: Asking = {}): Promise<Outcome> => {
    const began = performance.now();
    const headers: Record<string, string> = {};
    if (as !== undefined) headers['authorization'] = `Bearer ${as}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (key !== undefined) headers['idempotency-key'] = key;
    return new Promise((resolve) => {
      const settle = (status: number, given: Partial<Outcome>) => {
        const ms = performance.now() - began;
        resolve({ method, path, began, ms, status, code: null, retryAfter: null, fault: null, body: null, ...given });
      };
      const sent = request(origin + path, { method, headers, agent, timeout: patience }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => settle(0, { fault: `broken answer: ${error.message}` }));
        response.on('end', () => settle(response.statusCode ?? 0, judge(response, Buffer.concat(chunks))));
      });
      const judge = ({ statusCode: status = 0, headers: got }: IncomingMessage, bytes: Buffer): Partial<Outcome> => {
        const type = got['content-type'] ?? '';
        const retryAfter = got['retry-after'] ?? null;
        try {
          const text = bytes.toString();
          const read = text === '' ? undefined : type.startsWith('application/json') ? JSON.parse(text) : text;
          const mute = status === 503 && !/^[1-9]\d*$/.test(retryAfter ?? '') ? '503 without Retry-After' : null;
          const fault = answerFault(method, path, status, type, read) ?? mute;
          return { code: read?.error?.code ?? null, retryAfter, fault, body: read };
        } catch (error) {
          return { retryAfter, fault: String(error) };
        }
      };
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', (error) =>
        settle(0, { fault: `no answer on a ${sent.reusedSocket ? 'used' : 'new'} connection: ${error.message}` }),
      );
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  };
  return Object.assign(asks, { close: () => agent.destroy() });
}

/** Asks again and again, `clients` at a time, with a short rest between, until it is stopped. */
export function repeat(clients: number, once: () => Promise<Outcome>, rest = 20) {
  const outcomes: Outcome[] = [];
  let going = true;
  const one = async () => {
    while (going) {
      outcomes.push(await once());
      await wait(rest);
    }
  };
  const all = Promise.all(Array.from({ length: clients }, one));
  return {
    outcomes,
    async stop(): Promise<Outcome[]> {
      going = false;
      await all;
      return outcomes;
    },
  };
}

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

/** Processes that wait for a processor, for each processor. */
const waitingProcesses = (): number => Math.max(0, loadavg()[0]! / availableParallelism() - 1);

/**
 * Milliseconds that a measured time may be over its bound: twice what this process itself had to wait for a
 * processor, and three seconds for each process that waited with it.
 */
export const slack = (): number => (2 * delay.max) / 1e6 + 3_000 * waitingProcesses();

/** A share of the values, sorted, is at most this: 0.99 for all but one in a hundred. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** How often each status came, by status and code. */
export function tally(outcomes: Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of outcomes) {
    const name = code ? `${status} ${code}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export const msOf = (outcomes: Outcome[]): number[] => outcomes.map(({ ms }) => ms);

/** Milliseconds from `since` to the first good answer to what was still open then, or came later; Infinity without one. */
export const firstGood = (outcomes: Outcome[], since: number): number =>
  Math.min(
    ...outcomes
      .filter(({ status, began }) => status >= 200 && status < 300 && began > since)
      .map(({ began, ms }) => began + ms - since),
  );

/** Every way in which answers were neither good nor an honest 503. */
export const wrongs = (outcomes: Outcome[]): string[] => [
  ...new Set(
    outcomes
      .filter(({ status, fault }) => fault !== null || (status !== 503 && (status < 200 || status > 299)))
      .map(({ method, path, status, code, fault }) => `${method} ${path}: ${status} ${code ?? ''} ${fault ?? ''}`),
  ),
];
