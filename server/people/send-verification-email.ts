import type { sendVerificationEmail as endpoint } from '../../contract/people/people.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { queueMail } from '../mail/outbox.ts';

export async function sendVerificationEmail(
  { db }: { db: Db },
  { caller: { userId, email, emailVerified } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  if (!emailVerified) await queueMail(db, { kind: 'verify_email', userId, address: email });
  return { status: 200, body: { done: true } };
}
