import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * The procedure "A second site" of the manual, command by command, as the user `postgres` of the machine that
 * each list names. `$DATA` is the data folder there, `$OTHER` and `$PORT` are the other server.
 */
export const secondSite = {
  /** On the primary, once; then restart it. */
  prepare: [
    `psql -c "alter system set wal_log_hints = on" -c "alter system set wal_keep_size = '1GB'" -c "alter system set max_slot_wal_keep_size = '20GB'"`,
    `psql -c "create role second_site login replication"`,
    `psql -c "grant execute on function pg_ls_dir(text, boolean, boolean), pg_stat_file(text, boolean), pg_read_binary_file(text), pg_read_binary_file(text, bigint, bigint, boolean) to second_site"`,
  ],
  /** On the second site, into an empty folder; then start the server there. */
  copy: [
    `pg_basebackup -d "host=$OTHER port=$PORT user=second_site application_name=second_site" -D "$DATA" -R -C -S second_site -c fast`,
  ],
  /** On the primary, once the standby follows. */
  wait: [`psql -c "alter system set synchronous_standby_names = 'second_site'" -c "select pg_reload_conf()"`],
  /** On the standby, once the old primary is off and cannot start. */
  promote: [
    `psql -c "alter system set synchronous_standby_names = ''" -c "select pg_reload_conf()"`,
    `psql -c "select pg_promote()"`,
    `psql -c "checkpoint"`, // else pg_rewind takes it for the old primary's own timeline
    `psql -c "select pg_create_physical_replication_slot('second_site', true) where not exists (select from pg_replication_slots where slot_name = 'second_site')"`,
  ],
  /** On the old primary, while its server is stopped; then start it. */
  comeBack: [
    `pg_rewind -D "$DATA" --source-server="host=$OTHER port=$PORT user=second_site dbname=postgres application_name=second_site" -R`,
  ],
} as const;

type Place = { data: string; port: number; otherPort: number; options: object; superuser: string };

/** Runs them in a shell as the manual has them. Answers what they said. */
export async function runAll(
  commands: readonly string[],
  { data, port, otherPort, options, superuser }: Place,
): Promise<string> {
  const settings = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: superuser, PGDATABASE: 'postgres' };
  const places = { DATA: data, OTHER: '127.0.0.1', PORT: String(otherPort) };
  const env = { ...settings, ...places, PATH: `/usr/lib/postgresql/15/bin:${process.env.PATH}` };
  let said = '';
  for (const command of commands) {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { ...options, env });
    said += stdout + stderr;
  }
  return said;
}
