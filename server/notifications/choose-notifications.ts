import type { chooseNotifications as endpoint } from '../../contract/people/notifications.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { choicesOf, chooseMail } from '../mail/notification-choice.ts';

export async function chooseNotifications(
  { db }: { db: Db },
  { caller: { userId, operatorRole }, body: { kinds, mail }, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    const subject = showId('user', userId);
    if (await chooseMail(trx, userId, kinds, mail))
      await appendAudit(trx, cause, { action: 'user.mails_changed', subject, accountId: null });
    const notification_choices = await choicesOf(trx, { userId, operatorRole });
    return { status: 200, body: { notification_choices } };
  });
}
