import { Atelier, AtelierError } from '../client/atelier.ts';
import { type Config, operatorOf, readConfig } from '../server/start/config.ts';
import { type Db, createDb } from '../server/db/pool.ts';
import { joinEmbeddedPostgres } from '../server/embedded-postgres/embedded-postgres.ts';
import { Failure, type Io, print, type Shared } from './output.ts';

/** Where the service listens, from the same configuration. */
export function addressOf({ host, port }: Config, { url }: Pick<Shared, 'url'>): string {
  if (url !== undefined) return url.replace(/\/$/, '');
  const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Calls the running service in a session of the configured operator, which ends after `use`. */
export async function asOperator<T>(shared: Shared, use: (atelier: Atelier) => Promise<T>): Promise<T> {
  const { io } = shared;
  const config = readConfig(io.env);
  const operator = operatorOf(config);
  if (!operator) throw new Failure('The operator is not known.', 'Set OPERATOR_EMAIL and OPERATOR_PASSWORD.');
  const address = { url: addressOf(config, shared), retries: 0 };
  const { token } = await new Atelier(address).signIn({ body: operator }).catch(explain);
  const atelier = new Atelier({ ...address, token });
  try {
    return await use(atelier);
  } finally {
    // The result must be shown even if this fails: a worker key, for example, is shown only once.
    await atelier.signOut().catch(() => print(io, 'The session could not be ended; it expires in 30 days.'));
  }
}

/** The service speaks of credentials; here they are settings. */
function explain(error: unknown): never {
  if (!(error instanceof AtelierError)) throw error;
  const { status, code, message, requestId, action } = error;
  const actions: Record<string, string> = {
    unauthenticated: 'Set OPERATOR_EMAIL and OPERATOR_PASSWORD to those of an operator.',
    unreachable: 'Start the service, or pass its address with --url.',
  };
  const words = { message, action: actions[code] ?? action, ...(requestId === null ? {} : { request_id: requestId }) };
  throw new AtelierError(status, code === 'unreachable' ? words : { ...words, code }, error);
}

/** The configured database, not its pooler, or the embedded one, even while the service uses it. */
export const withDatabase = <T>(
  io: Io,
  config: Config,
  use: (db: Db) => Promise<T>,
  terms: { patient?: boolean } = {},
): Promise<T> =>
  withDatabaseUrl(io, config, async (url) => {
    const db = createDb(url, 2, () => {}, terms);
    try {
      return await use(db);
    } finally {
      await db.destroy();
    }
  });

export async function withDatabaseUrl<T>(
  io: Io,
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const postgres = databaseUrl === null ? await joinEmbeddedPostgres(dataDir, (line) => print(io, line)) : null;
  try {
    return await use(postgres?.url ?? databaseDirectUrl ?? databaseUrl ?? '');
  } finally {
    await postgres?.stop();
  }
}
