import { randomInt } from 'node:crypto';
import { isDeepStrictEqual as same } from 'node:util';
import { expect, test } from 'vitest';
import { contentOf, isWhole } from './every-endpoint.ts';
import type { Service } from './harness.ts';

/**
 * A sweep tries many cases in one test: a test of its own for each takes more time than its request. It
 * tries all of them, whatever fails, and lists the names of those that fail.
 */
type Case<T> = readonly [name: string, each: T];
type Check<T> = (each: T) => unknown;
type Failure = { name: string; fault: string; expected?: unknown; got?: unknown };

/** A busy machine takes longer than the limit of other tests. */
const longest = 600_000;
/** How many cases share a look at the database. */
const groupSize = 16;

const failureOf = (name: string, error: unknown): Failure => {
  const { message, expected, actual } = error as Error & { expected?: unknown; actual?: unknown };
  return { name, fault: message, ...(expected === undefined ? {} : { expected, got: actual }) };
};

async function failuresOf<T>(cases: readonly Case<T>[], check: Check<T>): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const [name, each] of cases)
    try {
      await check(each);
    } catch (error) {
      failures.push(failureOf(name, error));
    }
  return failures;
}

/**
 * Draws one in three bodies, others for each route, and says by which seed. The seeds 0, 1 and 2 draw all
 * of them together.
 */
export function drawing(): <T>(bodies: readonly T[], route: number) => readonly T[] {
  if (isWhole) return (bodies) => bodies;
  const seed = Number(process.env.SWEEP_SEED ?? randomInt(3));
  if (![0, 1, 2].includes(seed)) throw new Error('SWEEP_SEED is 0, 1 or 2.');
  console.log(`Bad input: one in three bodies, by SWEEP_SEED=${seed}. SWEEP=all sends all.`);
  return (bodies, route) => bodies.filter((_, at) => (at + route + seed) % 3 === 0);
}

/** One test of all these cases. */
export function sweep<T>(title: string, cases: readonly Case<T>[], check: Check<T>): void {
  test(`${title}: ${cases.length} cases`, { timeout: longest }, async () => {
    expect(cases).not.toEqual([]);
    expect(await failuresOf(cases, check)).toEqual([]);
  });
}

/** One test of all these cases, none of which may write anything. */
export function sweepUnchanged<T>(
  title: string,
  service: () => Service,
  cases: readonly Case<T>[],
  check: Check<T>,
): void {
  test(`${title}: ${cases.length} cases`, { timeout: longest }, async () => {
    expect(cases).not.toEqual([]);
    const failures: Failure[] = [];
    let before = await contentOf(service());
    for (let at = 0; at < cases.length; at += groupSize) {
      const group = cases.slice(at, at + groupSize);
      failures.push(...(await failuresOf(group, check)));
      const after = await contentOf(service());
      if (same(after, before)) continue;
      failures.push(await whatWrites(service(), group, check, changed(before, after)));
      before = await contentOf(service());
    }
    expect(failures).toEqual([]);
  });
}

const changed = (before: Record<string, string>, after: Record<string, string>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((table) => before[table] !== after[table]);

/** Tries the cases of a group again, one by one, to name those that write. Some write only the first time. */
async function whatWrites<T>(
  service: Service,
  group: readonly Case<T>[],
  check: Check<T>,
  tables: string[],
): Promise<Failure> {
  const names: string[] = [];
  for (const [name, each] of group) {
    const before = await contentOf(service);
    await failuresOf([[name, each]], check);
    if (!same(await contentOf(service), before)) names.push(name);
  }
  const name = names.join(', ') || `one of ${group.map(([name]) => name).join(', ')}`;
  return { name, fault: `writes to ${tables.join(', ')}` };
}
