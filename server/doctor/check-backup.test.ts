import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { recordBackup } from '../backup/last-backup.ts';
import { claimStorage } from '../files/installation.ts';
import { checkBackup } from './check-backup.ts';

let service: Service;
// Of its own: it changes the age of the installation.
beforeEach(async () => void (service = await createService()));
afterEach(() => service.close());

const line = async () => {
  const { status, sentence, action } = await checkBackup(service.context.db);
  return `${status}: ${sentence} → ${action ?? 'nothing'}`;
};

test('no backup: fine on the first day, then a warning', async () => {
  const { db, storage } = service.context;
  const fine = 'ok: No backup is recorded so far, and the installation is younger than 26 hours. → nothing';
  expect(await line()).toBe(fine);
  await claimStorage({ db, storage });
  expect(await line()).toBe(fine);
  await sql`update installation set created_at = now() - interval '27 hours'`.execute(db);
  expect(await line()).toMatch(/^warn: No backup is recorded\. → Run each day: npm run admin -- backup/);
});

/** Entries are never changed: an older one is the only one. */
async function age(entries: string): Promise<void> {
  const { db } = service.context;
  await sql`grant update on audit_log to current_user`.execute(db);
  await sql`update audit_log set created_at = created_at - ${entries}::interval`.execute(db);
}

test('a backup that is recent, and one that is older than 26 hours', async () => {
  await recordBackup(service.context.db, 'monday', { restored: true });
  expect(await line()).toBe(
    'ok: The last backup was recorded 0 hours ago. One was last verified 0 days ago. → nothing',
  );
  await age('27 hours 1 minute');
  expect(await line()).toMatch(
    /^warn: No backup was recorded for 27 hours\. One was last verified 1 day ago\. → Run each day.*record-backup/,
  );
});

test('backups of each day need one that was verified in eight days', async () => {
  const { db, storage } = service.context;
  await claimStorage({ db, storage });
  await recordBackup(db, 'monday', { restored: false });
  expect(await line()).toBe('ok: The last backup was recorded 0 hours ago. None was verified so far. → nothing');
  await sql`update installation set created_at = now() - interval '8 days'`.execute(db);
  expect(await line()).toMatch(/^warn: .* None was verified so far\. → Run: .*--verify.*record-backup --verified/);
  await recordBackup(db, 'tuesday', { restored: true });
  await age('7 days 23 hours');
  await recordBackup(db, 'wednesday', { restored: false });
  expect(await line()).toBe(
    'ok: The last backup was recorded 0 hours ago. One was last verified 7 days ago. → nothing',
  );
  await age('1 hour');
  expect(await line()).toMatch(/^warn: .* One was last verified 8 days ago\. → Run: .*--verify/);
});
