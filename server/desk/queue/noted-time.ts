import type { Static } from 'typebox';
import type { NotedTime } from '../../../contract/desk/noted-time.ts';
import { timeBounds } from '../../../contract/desk/time-bounds.ts';
import type { Trx } from '../../db/pool.ts';
import { isoTime, type Time } from '../../db/time.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { JobKey } from '../../jobs/job-event.ts';
import { readClock } from '../../jobs/clock.ts';
import { readId, showId } from '../../lib/id.ts';

export type TimeRow = {
  id: string;
  minutes: number;
  worked_on: string;
  words: string | null;
  user_id: string;
  name: string;
  created_at: Time;
};

export const showTime = ({ id, user_id, name, created_at, ...entry }: TimeRow): Static<typeof NotedTime> => ({
  ...entry,
  id: showId('time', id),
  created_by: { kind: 'user', id: showId('user', user_id), name },
  created_at: isoTime(created_at),
});

const day = 86_400_000;

/** Where a day begins first, that is 14 hours before it begins in UTC. */
export async function refuseOtherDay(trx: Trx, worked_on: string): Promise<void> {
  const at = Date.parse(`${worked_on}T00:00:00Z`);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== worked_on)
    throw badBody([{ location: '/worked_on', message: 'must be a day, such as 2026-11-21' }]);
  const now = (await readClock(trx)).getTime();
  if (at > now + 14 * 3_600_000 || at < now - (timeBounds.daysBack + 1) * day)
    throw badBody([
      { location: '/worked_on', message: `must be at most ${timeBounds.daysBack} days ago, and not later than today` },
    ]);
}

/** The id of an entry that the operator noted on this job. */
export async function ownTime(trx: Trx, job: JobKey, userId: string, id: string): Promise<string> {
  const row = await trx
    .selectFrom('job_times')
    .select('id')
    .where('account_id', '=', job.account_id)
    .where('job_id', '=', job.id)
    .where('id', '=', readId('time', id))
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new Refusal('time_not_found');
  return row.id;
}
