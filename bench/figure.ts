import type { Cost } from './cost.ts';
import type { Measured } from './wrk.ts';

/** `ratio` compares `ours` with `limit`; more is better. The goal is met if it is at least `goal`. */
export type Row = {
  figure: string;
  title: string;
  ours: number;
  limit: number;
  of: string;
  ratio: number;
  goal: number;
  unit: string;
  /** In milliseconds, and the cost of a request; null if not measured. */
  load: {
    p50: number;
    p99: number;
    nodeMicroseconds: number;
    postgresMicroseconds: number;
    rss: number;
    wal: number;
  } | null;
};

/** One round measures ours and the limit, one right after the other. */
export type Round = { ours: number; limit: number; measured?: Measured; cost?: Cost };

type Meaning = { figure: string; title: string; of: string; goal: number; unit: string; lessIsBetter?: boolean };

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [above, below] = [sorted[middle], sorted[sorted.length - 1 - middle]];
  if (above === undefined || below === undefined) throw new Error('There is nothing to take the median of.');
  return (above + below) / 2;
};

/** Medians; the ratio is the median of each round's ratio, so that a slow phase affects both sides. */
export function toRow({ lessIsBetter = false, ...meaning }: Meaning, rounds: readonly Round[]): Row {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const row = {
    ...meaning,
    ours: of(({ ours }) => ours),
    limit: of(({ limit }) => limit),
    ratio: of(({ ours, limit }) => (lessIsBetter ? limit / ours : ours / limit)),
  };
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new Error(`${meaning.figure}: ${name} is ${value}.`);
  const loads = rounds.flatMap(({ measured, cost }) => (measured && cost ? [{ measured, cost }] : []));
  return { ...row, load: loads.length === 0 ? null : loadOf(loads) };
}

function loadOf(loads: { measured: Measured; cost: Cost }[]): Row['load'] {
  const of = (value: (load: { measured: Measured; cost: Cost }) => number) => median(loads.map(value));
  const perRequest = (part: 'node' | 'postgres') =>
    of(({ measured, cost }) => (cost[part] * cost.seconds * 1e6) / measured.requests);
  return {
    p50: of(({ measured }) => measured.p50),
    p99: of(({ measured }) => measured.p99),
    nodeMicroseconds: perRequest('node'),
    postgresMicroseconds: perRequest('postgres'),
    rss: of(({ cost }) => cost.rss),
    wal: of(({ measured, cost }) => cost.wal / measured.requests),
  };
}

/** Alternates which of two measurements comes first. */
export async function alternate(
  count: number,
  ours: () => Promise<Omit<Round, 'limit'>>,
  limit: () => Promise<number>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let n = 0; n < count; n++) {
    const before = n % 2 === 0 ? null : await limit();
    const own = await ours();
    rounds.push({ ...own, limit: before ?? (await limit()) });
  }
  return rounds;
}
