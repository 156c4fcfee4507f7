import { oldAfterHours, readLastBackup, unverifiedAfterHours } from '../backup/last-backup.ts';
import type { Db } from '../db/pool.ts';
import { counted, type Finding, ok, warn } from './run-checks.ts';

const action =
  'Run each day: npm run admin -- backup <folder> --daily --verify. ' +
  'After a backup by other tools: npm run admin -- record-backup';
const verifyIt =
  'Run: npm run admin -- backup <folder> --daily --verify. ' +
  'After you have restored one of other tools: npm run admin -- record-backup --verified';

export async function checkBackup(db: Db): Promise<Finding> {
  const { recorded, verified, began, now } = await readLastBackup(db);
  const since = (time: number | null) => Math.floor((now - (time ?? began ?? now)) / 3600);
  const hours = since(recorded);
  if (recorded === null)
    return hours < oldAfterHours
      ? ok(`No backup is recorded so far, and the installation is younger than ${oldAfterHours} hours.`)
      : warn('No backup is recorded.', action);
  const days = counted(Math.floor(since(verified) / 24), 'day');
  const proof = verified === null ? 'None was verified so far.' : `One was last verified ${days} ago.`;
  const sentence = `The last backup was recorded ${counted(hours, 'hour')} ago. ${proof}`;
  if (hours >= oldAfterHours) return warn(`No backup was recorded for ${counted(hours, 'hour')}. ${proof}`, action);
  return since(verified) < unverifiedAfterHours ? ok(sentence) : warn(sentence, verifyIt);
}
