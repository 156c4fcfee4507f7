import type { readReadiness as endpoint } from '../../contract/studio/probes.ts';
import type { DatabaseWatch, Look } from '../db/watch-database.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Dependencies, type Parts, readDependencies, tasksProblem } from './dependencies.ts';

type Ready = Parts & {
  databaseWatch: Pick<DatabaseWatch, 'latest' | 'isFull' | 'problem'>;
  /** Those of this version. */
  migrations: readonly string[];
  isCopy: boolean;
};

/**
 * Whether requests may be sent here. It asks no connection of the pool, so that it answers at once however
 * busy that is: a balancer would otherwise take every process out of an overload.
 */
export async function readReadiness(
  parts: Ready,
  { query }: Pick<Request<typeof endpoint>, 'query'>,
): Promise<AnswerOf<typeof endpoint>> {
  const look = await parts.databaseWatch.latest();
  const dependencies = query.verbose === undefined ? null : await readDependencies(parts, look);
  const problem = parts.state.draining
    ? 'the process is stopping'
    : (databaseProblem(look, parts) ?? (parts.state.tasksRun ? null : tasksProblem));
  if (problem !== null) throw notReady(problem, dependencies);
  const outbound = parts.isCopy ? { outbound: 'off' as const } : {};
  const loops = Object.entries(parts.loops.ages()).map(([name, age]) => ({ name, seconds: Math.round(age * 10) / 10 }));
  const more = dependencies ? { dependencies, loops } : {};
  return { status: 200, body: { status: 'ready', ...outbound, ...more } };
}

/**
 * A database that could lose an acknowledged write (no fsync, no full pages, asynchronous commits) is not
 * ready: in a measured power cut it lost every one.
 */
function databaseProblem(look: Look | null, { databaseWatch, migrations }: Ready): string | null {
  if (look === null) return `the database ${databaseWatch.problem}`;
  const missing = migrations.filter((name) => !look.applied.includes(name));
  if (missing.length > 0) return `migrations are missing: ${missing.join(', ')}`;
  const unsafe = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter((name) => look[name] === 'off');
  return unsafe.length > 0 ? `the database has ${unsafe.join(', ')} off` : null;
}

function notReady(problem: string, dependencies: Dependencies | null): Refusal {
  const details = Object.entries(dependencies ?? {}).flatMap(([location, { message }]) =>
    message === null ? [] : [{ location, message }],
  );
  return new Refusal('service_unavailable', {
    message: `Not ready: ${problem}.`,
    headers: { 'retry-after': '2' },
    details,
  });
}
