import { sql } from 'kysely';
import type { readDeskHealth as endpoint } from '../../contract/desk/health.ts';
import { readLastBackup } from '../backup/last-backup.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf } from '../http/request.ts';
import { version } from '../lib/version.ts';
import { isExamining, readNewest } from './examination.ts';

export async function readDeskHealth({ db }: { db: Db }): Promise<AnswerOf<typeof endpoint>> {
  const newest = await readNewest(db, { dailyOnly: false });
  const { recorded, verified } = await readLastBackup(db);
  return {
    status: 200,
    body: {
      health: {
        version,
        node: process.versions.node,
        ...(await readDatabase(db)),
        examined_at: newest?.ended_at.toISOString() ?? null,
        examining: await isExamining(db),
        findings: newest?.findings ?? [],
        backups: { recorded_at: momentOf(recorded), verified_at: momentOf(verified) },
      },
    },
  };
}

const momentOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());

async function readDatabase(db: Db): Promise<{ postgres: string; newest_migration: string }> {
  const { rows } = await sql<{ postgres: string; newest_migration: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      (select name from kysely_migration order by name desc limit 1) as newest_migration`.execute(db);
  if (!rows[0]) throw new Error('A select without a table returns one row.');
  return rows[0];
}
