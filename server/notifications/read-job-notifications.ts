import { sql } from 'kysely';
import type { readJobNotifications as endpoint } from '../../contract/people/notifications.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import { countUnread, seenBy } from './notification.ts';

/** Only notifications of the session's account are marked. */
export async function readJobNotifications(
  { db }: { db: Db },
  { caller, body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await sql`
      update notifications n set read_at = now()
      where ${seenBy(caller, 'customer')} and n.job_id = ${readId('job', body.job_id)} and n.read_at is null`.execute(
      trx,
    );
    return { status: 200, body: { unread: await countUnread(trx, caller, 'customer') } };
  });
}
