import type { readNotificationChoices as endpoint } from '../../contract/people/notifications.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { choicesOf } from '../mail/notification-choice.ts';

export async function readNotificationChoices(
  { db }: { db: Db },
  { caller: { userId, operatorRole } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const notification_choices = await choicesOf(db, { userId, operatorRole });
  return { status: 200, body: { notification_choices } };
}
