import { sql } from 'kysely';
import { type Problem, databaseProblems } from '../db/check-database.ts';
import { type Db, otherProcesses } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';
import type { Config } from '../start/config.ts';
import { connectionsOf } from '../start/connections.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

/** What a start refuses. Throws if the server does not answer. */
export async function checkServer(url: string, config: Config): Promise<Finding[]> {
  const problems = await databaseProblems(url, {
    connections: connectionsOf(config).direct,
    durable: config.production,
    poolerUrl: config.databaseDirectUrl === null ? null : config.databaseUrl,
  });
  if (problems.length > 0) return problems.map(findingOf);
  const durable = config.production ? ', and a crash loses no acknowledged job' : '';
  return [ok(`Version, encoding, rights and settings of Postgres fit${durable}.`)];
}

const findingOf = ({ sentence, statement }: Problem): Finding =>
  fail(sentence, statement ? `Run as a superuser: ${statement}` : 'Read the chapter Postgres of docs/operations.md.');

type Use = { most: number; open: number };

/** While processes restart in turn, there is one more. */
export async function checkConnections(db: Db, config: Config): Promise<Finding> {
  const { rows } = await sql<Use>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as open`.execute(db);
  const { most = 0, open = 0 } = rows[0] ?? {};
  const processes = (await otherProcesses(db)).length;
  const each = connectionsOf(config).direct;
  const needed = each * Math.max(processes, 1);
  const running = processes === 1 ? '1 process runs' : `${processes} processes run`;
  const sentence = `${running}, each with up to ${each} connections; Postgres allows ${most}, of which ${open} are open.`;
  const enough = needed + each;
  const action = `Run as a superuser, and restart Postgres: alter system set max_connections = ${2 * enough};`;
  if (needed > most) return fail(sentence, action);
  return enough > most ? warn(sentence, action) : ok(sentence);
}

/** Whether the processes agree about secrets and rates. */
export async function checkProcesses(db: Db, config: Config, signer: Signer): Promise<Finding> {
  const others = await otherProcesses(db);
  const foreign = others.filter(({ instanceTag }) => !signer.fingerprints.includes(instanceTag));
  if (foreign.length > 0)
    return fail(
      `${foreign.length} of ${others.length} processes have another SECRET_KEY: each refuses sessions of the other.`,
      'Give all processes, and this command, the same SECRET_KEY.',
    );
  if (others.length > 1 && config.redisUrl === null)
    return warn('Each process counts rates for itself, so several allow more.', 'Set REDIS_URL for all processes.');
  return ok(others.length === 0 ? 'No process of the service runs.' : 'The processes have the same SECRET_KEY.');
}
