import pg from 'pg';
import { vi } from 'vitest';

/** A statement that the service sent, and the file of `server/` that asked for it. */
export type Recorded = { text: string; file: string };

/** These send what others ask for. */
const carriers = /^db\/(?:client|pool|transact|batch|keyed-batch|queue|delete-in-batches|migrate)\.ts$/;

/** The statements with parameters that the service sends while something runs, each once per file. */
export async function recordStatements(run: () => Promise<unknown>): Promise<Recorded[]> {
  const recorded = new Map<string, Recorded>();
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  function record(this: pg.Client, ...args: unknown[]) {
    const [query] = args as [string | { text: string }];
    const text = typeof query === 'string' ? query : query.text;
    const file = callerOf(new Error().stack ?? '');
    if (file !== null && text.includes('$1')) recorded.set(`${file} ${text}`, { text, file });
    return original.apply(this, args);
  }
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(record);
  try {
    await run();
  } finally {
    spy.mockRestore();
    Error.stackTraceLimit = before;
  }
  return [...recorded.values()];
}

/** Null for statements of the tests themselves. */
function callerOf(stack: string): string | null {
  const files = [...stack.matchAll(/\/server\/([\w/-]+\.ts)/g)].map(([, file]) => file!);
  return files.find((file) => !carriers.test(file)) ?? null;
}
