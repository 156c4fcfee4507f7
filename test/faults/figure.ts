/** What a figure or its control came to. `faults`: each way in which the target was missed; none if it was met. */
export type Measured = { measured: string; faults: string[] };

/** `short`: the form of two minutes. */
export type Session = { random: Random; short: boolean };

/**
 * A promise that is measured. The control is the same procedure against a variant that breaks the promise: a figure
 * counts only if its control had faults in the same run.
 */
export type Figure = {
  name: string;
  title: string;
  target: string;
  /** Whether it has a form for the run of two minutes. */
  inShort: boolean;
  /** Tests of this folder or another that belong to it, which the full form runs. */
  cases?: string[];
  run(session: Session): Promise<Measured>;
  control(session: Session): Promise<Measured>;
};

/** 3 of F3. */
export const numberOf = ({ name }: Pick<Figure, 'name'>): number => Number(name.slice(1));

/** Chance that the seed decides. */
export type Random = {
  /** From 0 to 1. */
  next(): number;
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}

/** Tries until it is true. `what` names what did not happen. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean, within = 90_000): Promise<void> {
  for (const giveUp = performance.now() + within; !(await isSo());) {
    if (performance.now() > giveUp) throw new Error(`After ${within / 1000} s: ${what} did not happen.`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

/** The first few, and how many there are. */
export const some = (what: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${items.length} ${what}: ${items.slice(0, 3).join('; ')}`];

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
