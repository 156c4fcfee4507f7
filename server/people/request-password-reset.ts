import type { requestPasswordReset as endpoint } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { queueMail } from '../mail/outbox.ts';
import { normalEmail } from '../sign-in/person.ts';

/** Says nothing about whether the address is known: that is looked up when the turn of the mail comes. */
export async function requestPasswordReset(
  { db }: { db: Db },
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await queueMail(db, { kind: 'reset_password', address: normalEmail(body.email) });
  return { status: 200, body: { done: true } };
}
