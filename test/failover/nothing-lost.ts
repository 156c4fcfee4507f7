import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import type { createUntilStopped } from '../faults/creates.ts';
import { wrongs } from '../faults/load.ts';
import { environment } from '../support/harness.ts';
import type { PostgresPair } from './postgres-pair.ts';

/** Every acknowledged key has its one job at the primary of now. Answers the ids of all jobs there. */
export async function expectNoneLost(
  pair: PostgresPair,
  { outcomes, torn, made }: ReturnType<typeof createUntilStopped>,
): Promise<string[]> {
  expect(wrongs(outcomes)).toEqual([]);
  expect(torn).toEqual([]);
  const statement = `select key, answer->'job'->>'id' as id from idempotency_keys where route = 'POST /api/v1/jobs'`;
  const rows = await pair.ask(pair.primaryPort, statement, [], 'atelier');
  const stored = new Map(rows.map(({ key, id }) => [key, id]));
  for (const [key, id] of made) expect(stored.get(key)).toBe(id);
  return rows.map(({ id }) => id);
}

/** `admin check`: every job is in the ledger, the events, the counters; each key made one job. */
export async function expectBooksToAgree(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['cli/admin.ts', 'check'], {
    env: { ...process.env, ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (part) => (text += part));
  const [code] = await once(child, 'close');
  expect(code, text).toBe(0);
}
