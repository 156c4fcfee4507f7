import type { requestPasswordReset as endpoint } from '../../contract/people/people.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { queueMail } from '../mail/outbox.ts';
import { normalEmail } from '../sign-in/person.ts';

/** Gives the same answer for unknown addresses: the address is looked up when the mail is sent. */
export async function requestPasswordReset(
  { db }: { db: Db },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await queueMail(db, { kind: 'reset_password', address: normalEmail(body.email) });
  return { status: 200, body: { done: true } };
}
