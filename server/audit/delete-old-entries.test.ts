import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { checkDatabase } from '../check/check-database.ts';
import { deleteOldEntries } from './delete-old-entries.ts';

let studio: Studio;
// Of its own: it checks the whole database.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const db = () => studio.service.context.db;
const sweep = (months: number | null) => deleteOldEntries(db(), months, new AbortController().signal);
const subjects = async () => {
  const { rows } = await sql<{ subject: string }>`
    select subject from audit_log where subject like 'old%' order by subject`.execute(db());
  return rows.map(({ subject }) => subject);
};

test('entries older than the time to keep are deleted, and afterwards nobody may delete entries again', async () => {
  await sql`
    insert into audit_log (id, action, actor, subject, request_id, created_at)
    select uuidv7(), 'key.created', 'operator', 'old ' || months, 'req', now() - make_interval(months => months, days => 1)
    from unnest(array[2, 6, 7]) as months`.execute(db());

  await sweep(null);
  expect(await subjects()).toEqual(['old 2', 'old 6', 'old 7']);
  await sweep(6);
  expect(await subjects()).toEqual(['old 2']);

  await expect(sql`delete from audit_log`.execute(db())).rejects.toThrow('permission denied');
  expect((await checkDatabase(db())).contradictions).toEqual([]);
});
