import { oldAfterHours, readLastBackup } from '../backup/last-backup.ts';
import type { Db } from '../db/pool.ts';
import { counted, type Finding, ok, warn } from './run-checks.ts';

const action =
  'Run each day: npm run admin -- backup <folder>. After a backup by other tools: npm run admin -- record-backup';

export async function checkBackup(db: Db): Promise<Finding> {
  const { recorded, began, now } = await readLastBackup(db);
  const hours = Math.floor((now - (recorded ?? began ?? now)) / 3600);
  if (recorded === null)
    return hours < oldAfterHours
      ? ok(`No backup is recorded so far, and the installation is younger than ${oldAfterHours} hours.`)
      : warn('No backup is recorded.', action);
  const sentence = `The last backup was recorded ${counted(hours, 'hour')} ago.`;
  return hours < oldAfterHours ? ok(sentence) : warn(sentence, action);
}
