import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { arrival, createDb, type Db, schemaOf, sessionSettings, unfinishedRestore } from './pool.ts';
import { NotConnected, Servers, wordsOf } from './servers.ts';

/** One sentence, and the statement that solves it. Null: no statement does. */
export type Problem = { sentence: string; statement: string | null };

export type Server = {
  version: number;
  version_name: string;
  encoding: string;
  standby: boolean;
  read_only: string;
  may_create_schemas: boolean;
  may_create_tables: boolean;
  unfinished_restore: boolean;
  max_connections: number;
  reserved_connections: number;
  role_connections: number;
  database_connections: number;
  /** Whether settings that the service sends arrive. */
  takes_settings: boolean;
  /** Of this server and database, since its last start. */
  identity: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  schema: string;
  /** Quoted names. */
  role: string;
  database: string;
};

/**
 * `connections`: how many this process opens at most. `durable`: refuse a server that may lose commits.
 * `poolerUrl`: a pooler before the same database.
 */
type Needs = { connections: number; durable: boolean; poolerUrl: string | null };

export const oldestPostgres = 15;

/** Milliseconds for a server that starts or recovers, as after a power cut. */
const startsWithin = 120_000;

/**
 * Refuses a server that the service cannot run on, and names all problems with their statements.
 * Waits for one that starts, with `waiting` before each new try, as long as that returns true.
 */
export async function checkDatabase(url: string, needs: Needs, waiting = () => true): Promise<void> {
  const { poolerUrl } = needs;
  const giveUp = performance.now() + startsWithin;
  const read = (): Promise<Problem[]> =>
    databaseProblems(url, needs).catch(async (error: Error) => {
      if (!isStarting(error.cause) || performance.now() > giveUp || !waiting()) throw error;
      await sleep(200);
      return read();
    });
  const problems = await read();
  if (problems.length === 0) return;
  const lines = problems.map(({ sentence, statement }) => `- ${sentence}${statement ? `\n    ${statement}` : ''}`);
  throw new Error(
    `The database cannot be used:\n${lines.join('\n')}\nRun the statements as a superuser${poolerUrl === null ? '' : ', and have the pooler open new connections (RECONNECT of PgBouncer)'}. More: docs/operations/install.md#postgres`,
  );
}

/** cannot_connect_now, of one of several servers, too. */
const isStarting = (cause: unknown): boolean =>
  cause instanceof NotConnected
    ? [cause.cause].flat().some(isStarting)
    : (cause as { code?: string } | undefined)?.code === '57P03';

/** Throws if the server does not answer. */
export async function databaseProblems(url: string, needs: Needs): Promise<Problem[]> {
  const { poolerUrl } = needs;
  const server = await readServer(url, poolerUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
  const problems = serverProblems(server, needs);
  const isPooler =
    isSupported(server) && !server.takes_settings && !new URL(Servers.of(url).next).searchParams.has('options');
  if (isPooler) problems.unshift(poolerProblem);
  else if (isSupported(server)) problems.push(...sessionProblems(server, await readSession(url)));
  if (poolerUrl !== null && problems.length === 0) problems.push(...(await poolerProblems(poolerUrl, server, needs)));
  return problems;
}

function problem(sentence: string, statement: string | null = null): Problem {
  return { sentence, statement };
}

const isSupported = ({ version }: Server) => version >= oldestPostgres * 10_000;

export function serverProblems(server: Server, { connections, durable }: Needs): Problem[] {
  const { role, database } = server;
  if (!isSupported(server))
    return [problem(`Postgres ${server.version_name} is too old: the service needs ${oldestPostgres} or newer.`)];
  const problems: Problem[] = [];
  if (server.standby)
    problems.push(problem('The server is a standby, which accepts no writes: name its primary in DATABASE_URL.'));
  else if (server.read_only === 'on')
    problems.push(problem('Transactions are read-only.', setFor(server, 'default_transaction_read_only', 'off')));
  if (server.encoding !== 'UTF8')
    problems.push(
      problem(
        `The encoding is ${server.encoding} instead of UTF8: create another database and name it in DATABASE_URL.`,
        `create database atelier_utf8 owner ${role} encoding 'UTF8' locale 'C.UTF-8' template template0;`,
      ),
    );
  if (!server.may_create_schemas)
    problems.push(problem('The role may not create schemas.', `grant create on database ${database} to ${role};`));
  if (!server.may_create_tables)
    problems.push(
      problem(
        `The role may not create tables in the schema ${server.schema}.`,
        `create schema if not exists ${server.schema}; grant usage, create on schema ${server.schema} to ${role};`,
      ),
    );
  if (server.unfinished_restore)
    problems.push(problem('A restore did not end here: empty the database and the storage, and restore again.'));
  problems.push(...connectionProblems(server, connections));
  if (durable) problems.push(...durabilityProblems(server));
  return problems;
}

function connectionProblems(server: Server, connections: number): Problem[] {
  const { role, database, reserved_connections: reserved } = server;
  const opens = `This process opens up to ${connections} connections`;
  const problems: Problem[] = [];
  if (server.max_connections - reserved < connections)
    problems.push(
      problem(
        `${opens}, and max_connections leaves ${server.max_connections - reserved}: lower DATABASE_POOL, or restart Postgres after this.`,
        `alter system set max_connections = ${2 * connections + reserved};`,
      ),
    );
  for (const [kind, name, limit] of [
    ['role', role, server.role_connections],
    ['database', database, server.database_connections],
  ] as const)
    if (limit >= 0 && limit < connections)
      problems.push(
        problem(`${opens}, and the limit of the ${kind} is ${limit}.`, `alter ${kind} ${name} connection limit -1;`),
      );
  return problems;
}

function durabilityProblems(server: Server): Problem[] {
  const { role, database } = server;
  const lost = 'is off, so a crash can lose acknowledged jobs.';
  const ofServer = (['fsync', 'full_page_writes'] as const)
    .filter((name) => server[name] === 'off')
    .map((name) => problem(`${name} ${lost}`, `alter system set ${name} = on; select pg_reload_conf();`));
  if (server.synchronous_commit !== 'off') return ofServer;
  return [...ofServer, problem(`synchronous_commit ${lost}`, setFor({ role, database }, 'synchronous_commit', 'on'))];
}

const poolerProblem = problem(
  'A pooler answers, which drops the settings of connections: name the address of Postgres itself in DATABASE_DIRECT_URL.',
);

/** Through a pooler nothing is sent, so the role has the settings. */
async function poolerProblems(url: string, direct: Server, { durable }: Needs): Promise<Problem[]> {
  const server = await readServer(url, 'DATABASE_URL', true);
  if (server.identity !== direct.identity)
    return [problem('DATABASE_URL and DATABASE_DIRECT_URL reach different databases: name one database in both.')];
  const problems = durable ? durabilityProblems(server) : [];
  const session = await readSession(url, true);
  return [...problems, ...sessionProblems(server, session, 'through a pooler the role has it')];
}

/** A pooler may drop what the service sends, and `options` in the URL replace it. */
function sessionProblems(
  server: Server,
  session: Record<string, string>,
  reason = 'options in the URL replace what the service sends',
): Problem[] {
  return Object.entries(sessionSettings(server.schema))
    .filter(([name, value]) => session[name] !== value)
    .map(([name, value]) =>
      problem(`${name} is ${session[name]} instead of ${value}: ${reason}.`, setFor(server, name, value)),
    );
}

const setFor = ({ role, database }: Pick<Server, 'role' | 'database'>, name: string, value: string) =>
  `alter role ${role} in database ${database} set ${name} = '${value}';`;

/** Patient, because an older server refuses the settings of other connections before it says its version. */
async function readServer(url: string, variable: string, pooled = false): Promise<Server> {
  const schema = schemaOf(url);
  return withDb(
    createDb(url, 1, () => {}, { patient: true, pooled }),
    async (db) => {
      const { rows } = await sql<Server>`
      select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby,
        current_setting('default_transaction_read_only') as read_only,
        has_database_privilege(current_database(), 'create') as may_create_schemas,
        ${schema} as schema,
        coalesce(has_schema_privilege(to_regnamespace(${schema})::oid, 'create'), ${schema} <> 'public') as may_create_tables,
        to_regnamespace(${unfinishedRestore(schema)}) is not null as unfinished_restore,
        current_setting('max_connections')::int as max_connections,
        current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved_connections,
        r.rolconnlimit as role_connections, d.datconnlimit as database_connections,
        current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting(${arrival}, true) is not distinct from 'sent' as takes_settings,
        d.oid || ' ' || pg_postmaster_start_time() as identity,
        quote_ident(current_user) as role, quote_ident(current_database()) as database
      from pg_roles r, pg_database d
      where r.rolname = current_user and d.datname = current_database()`.execute(db);
      if (!rows[0]) throw new Error('it does not say what it is');
      return rows[0];
    },
  ).catch((cause: unknown) => {
    const words = wordsOf(cause);
    const isPooler = words.startsWith('unsupported startup parameter');
    const action = isPooler ? poolerProblem.sentence : connectHint(cause, variable);
    throw new Error(`The database cannot be used: ${words}. ${action}`, { cause });
  });
}

/** What to do if no connection is made. Postgres quotes the names of roles and databases as SQL does. */
export function connectHint(error: unknown, variable: string): string {
  const { code = '', message = '', cause } = Object(error) as { code?: string; message?: string; cause?: unknown };
  if (cause instanceof Error) return connectHint(cause, variable);
  const [, kind, name] = /^too many connections for (role|database) (".+")$/.exec(message) ?? [];
  if (kind !== undefined) return `Run as a superuser: alter ${kind} ${name} connection limit -1;`;
  if (code === '53300') return 'Raise max_connections of Postgres, or end other sessions.';
  if (code.startsWith('28')) return `Check the user and the password of ${variable}, and pg_hba.conf of Postgres.`;
  return `Check ${variable}, and that Postgres runs.`;
}

const readSession = (url: string, pooled = false): Promise<Record<string, string>> =>
  withDb(
    createDb(url, 1, () => {}, { pooled }),
    async (db) => {
      const { rows } = await sql<{ name: string; setting: string }>`
      select lower(name) as name, setting from pg_settings
      where lower(name) = any (${Object.keys(sessionSettings(schemaOf(url)))})`.execute(db);
      return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
    },
  );

async function withDb<T>(db: Db, use: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}
