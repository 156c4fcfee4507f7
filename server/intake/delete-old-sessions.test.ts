import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { close, confirm, openSession, readSession, readySession } from '../../test/support/intake.ts';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { readId } from '../lib/id.ts';
import { deleteOldSessions } from './delete-old-sessions.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('conversations without a job are deleted 180 days after they expired; confirmed and newer ones stay', async () => {
  const { service, key } = studio;
  const { db } = service.context;
  const [closed, open, recent] = await Promise.all([0, 1, 2].map(() => openSession(service, key)));
  const confirmed = await readySession(service, key);
  await close(service, key, closed.id);
  await confirm(service, key, confirmed.id);
  await sql`
    update intake_sessions
    set expires_at = now() - case id when ${readId('ise', recent.id)} then 179 else 181 end * interval '1 day'`.execute(
    db,
  );

  await deleteOldSessions(db, new AbortController().signal);
  const statuses = await Promise.all(
    [closed, open, recent, confirmed].map(async ({ id }) => (await readSession(service, key, id)).status),
  );
  expect(statuses).toEqual([404, 404, 200, 200]);
  const { rows } = await sql<{ session_id: string }>`select distinct session_id from intake_messages`.execute(db);
  expect(rows.map(({ session_id }) => session_id)).not.toContain(readId('ise', closed.id));
});
