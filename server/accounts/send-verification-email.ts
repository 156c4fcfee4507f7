import type { sendVerificationEmail as endpoint } from '../../contract/people.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { verificationEmail } from './emails.ts';
import { makeMailToken } from './mail-token.ts';
import type { Outbox } from './outbox.ts';

/** Sends the mail once more; nothing to do for an address that is verified. */
export async function sendVerificationEmail(
  { db, outbox, publicUrl }: { db: Db; outbox: Outbox; publicUrl: string },
  { caller: { userId, email, emailVerified } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  if (!emailVerified) {
    const token = await makeMailToken(db, { purpose: 'verify_email', userId, email });
    outbox.sendAsked(verificationEmail(publicUrl, email, token));
  }
  return { status: 200, body: { done: true } };
}
