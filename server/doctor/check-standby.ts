import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { fail, type Finding, ok, warn } from './finding.ts';

type Seen = { names: string; commit: string; confirming: number; hidden: number; waiting: number; role: string };

/** Who may not see the state of standbys sees only that there are some. */
export async function checkStandby(db: Db): Promise<Finding> {
  const { rows } = await sql<Seen>`
    select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit,
      (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as confirming,
      (select count(*)::int from pg_stat_replication where sync_state is null) as hidden,
      (select count(*)::int from pg_stat_activity where wait_event = 'SyncRep'
        and query_start < now() - interval '2 seconds') as waiting,
      quote_ident(current_user) as role`.execute(db);
  return judgeStandby(rows[0] ?? { names: '', commit: '', confirming: 0, hidden: 0, waiting: 0, role: '' });
}

export function judgeStandby({ names, commit, confirming, hidden, waiting, role }: Seen): Finding {
  if (names === '') return ok('No synchronous standby is configured: losing this server loses what no backup has.');
  const start = 'Start a standby that synchronous_standby_names names, and look at: select * from pg_stat_replication;';
  if (waiting > 0) return fail(`${waiting} writes wait for a synchronous standby of ${names}.`, start);
  if (['local', 'off'].includes(commit))
    return warn(
      `A standby is configured, but synchronous_commit is ${commit}, so a failover loses acknowledged jobs.`,
      `Run as a superuser: alter role ${role} set synchronous_commit = 'on';`,
    );
  if (confirming > 0) return ok('A synchronous standby is connected.');
  if (hidden > 0)
    return warn(
      'The role may not see whether a standby is synchronous.',
      `Run as a superuser: grant pg_monitor to ${role};`,
    );
  return fail(`No synchronous standby of ${names} is connected, so every write waits.`, start);
}
