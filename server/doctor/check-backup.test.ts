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

test('a backup that is recent, and one that is older than 26 hours', async () => {
  const { db } = service.context;
  await recordBackup(db, 'monday', { restored: true });
  expect(await line()).toBe('ok: The last backup was recorded 0 hours ago. → nothing');
  // Entries are never changed: an older one is the only one.
  await sql`grant update on audit_log to current_user`.execute(db);
  await sql`update audit_log set created_at = now() - interval '27 hours 1 minute'`.execute(db);
  expect(await line()).toMatch(/^warn: The last backup was recorded 27 hours ago\. → Run each day.*record-backup/);
});
