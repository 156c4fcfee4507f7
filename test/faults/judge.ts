import { execFile } from 'node:child_process';
import { showId } from '../../server/lib/id.ts';
import { some } from './figure.ts';
import { readIntents } from './intent.ts';
import { root } from './process.ts';
import type { Customer, World } from './world.ts';

type Checked = {
  check: { contradictions: { total: number; rule: string; examples: { subject: string; fault: string }[] }[] };
};

/** What `npm run admin -- check` finds in the database and in the storage. */
export async function checkBooks({ env }: Pick<World, 'env'>): Promise<string[]> {
  const text = await new Promise<string>((resolve, reject) => {
    const command = ['cli/admin.ts', 'check', '--json'];
    execFile(process.execPath, command, { cwd: root, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      stdout.startsWith('{')
        ? resolve(stdout)
        : reject(new Error(`The check said: ${stderr}${stdout}`, { cause: error })),
    );
  });
  const { check } = JSON.parse(text) as Checked;
  return check.contradictions.flatMap(({ rule, examples }) =>
    examples.map(({ subject, fault }) => `${subject} ${fault} (${rule})`),
  );
}

export type Verdict = {
  keys: number;
  acknowledged: number;
  /** Keys without a certain answer at the end. */
  unresolved: number;
  /** Jobs that were acknowledged and are not there. */
  lost: string[];
  /** Keys that made more than one job, and jobs that no key made. */
  duplicated: string[];
  contradictions: string[];
};

/** Compares what the clients of an account learned with its rows, and the rows with each other. */
export async function judgeOrders(
  world: Pick<World, 'ask' | 'env'>,
  { person }: Customer,
  logs: readonly string[],
): Promise<Verdict> {
  const intents = await readIntents(logs);
  const of = [person.accountId];
  const rows = await world.ask(`select id from jobs where account_id = $1`, of);
  const jobs = new Set(rows.map(({ id }) => showId('job', id)));
  const keyed = await world.ask(
    `select key, answer->'job'->>'id' as id from idempotency_keys where account_id = $1 and route = 'POST /api/v1/jobs'`,
    of,
  );
  const stored = new Map<string, string>(keyed.map(({ key, id }) => [key, id]));
  const verdict: Verdict = {
    keys: intents.size,
    acknowledged: 0,
    unresolved: 0,
    lost: [],
    duplicated: [],
    contradictions: await checkBooks(world),
  };
  for (const [key, outcomes] of intents) {
    const ids = new Set(outcomes.flatMap((outcome) => (outcome.came === 'ok' ? [outcome.id] : [])));
    verdict.acknowledged += ids.size > 0 ? 1 : 0;
    verdict.unresolved += outcomes.some(({ came }) => came !== 'unknown') ? 0 : 1;
    for (const id of ids) if (!jobs.has(id)) verdict.lost.push(`${id} of ${key}`);
    const answered = [...ids, ...(stored.has(key) ? [stored.get(key)!] : [])];
    if (new Set(answered).size > 1) verdict.duplicated.push(`${key} made ${[...new Set(answered)].join(' and ')}`);
    const isRefused = outcomes.some(({ came }) => came === 'refused');
    if (isRefused && stored.has(key)) verdict.duplicated.push(`${key} was refused and made a job`);
  }
  const ofKeys = new Set(stored.values());
  for (const id of jobs) if (!ofKeys.has(id)) verdict.duplicated.push(`${id} was made by no key`);
  return verdict;
}

export const orderFaults = ({ lost, duplicated, contradictions, unresolved }: Verdict): string[] => [
  ...some('acknowledged jobs lost', lost),
  ...some('jobs too many', duplicated),
  ...some('contradictions', contradictions),
  ...(unresolved === 0 ? [] : [`${unresolved} keys without an answer`]),
];

export const showOrders = ({ acknowledged, lost, duplicated, contradictions }: Verdict): string =>
  `${acknowledged.toLocaleString('en')} acknowledged, ${lost.length} lost, ${duplicated.length} too many, ${contradictions.length} contradictions`;
