import type { Line } from './run-checks.ts';

export type Changes = { appeared: Line[]; solved: Line[]; unchanged: number };

/** What is worse and what is well again. A problem whose words changed only in numbers is the same. */
export function compare(before: readonly Line[], now: readonly Line[]): Changes {
  const problems = now.filter(isProblem);
  const earlier = new Set(before.map(kindOf));
  const appeared = problems.filter((line) => !earlier.has(kindOf(line)));
  const left = new Set(problems.map(kindOf));
  // A problem that got other words or another status is told once, as a new one.
  const changed = new Set(appeared.map(({ check }) => check));
  const gone = before.filter((line) => isProblem(line) && !left.has(kindOf(line)) && !changed.has(line.check));
  return { appeared, solved: gone, unchanged: problems.length - appeared.length };
}

const isProblem = ({ status }: Line) => status !== 'ok';

/** "1 job is parked" and "2 jobs are parked" are one kind. */
const kindOf = ({ check, status, sentence }: Line) =>
  [
    check,
    status,
    sentence
      .replaceAll(/\d[\d.,]*/g, '#')
      .replaceAll(/\bare\b/g, 'is')
      .replaceAll(/\bhave\b/g, 'has')
      .replaceAll(/\bits\b/g, 'their')
      .replaceAll(/s\b/g, ''),
  ].join('\n');
