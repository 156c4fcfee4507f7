import type { sendVerificationEmail as line } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Ask } from '../http/request.ts';
import type { Auth } from './auth.ts';
import { verificationLetter } from './letter.ts';

/** Sends the mail once more; nothing to do for an address that is verified. */
export async function sendVerificationEmail(
  auth: Auth,
  { caller: { email, emailVerified } }: Ask<typeof line>,
): Promise<AnswerOf<typeof line>> {
  if (!emailVerified) auth.post(verificationLetter(auth.publicUrl, email, await auth.makeVerificationToken(email)));
  return { status: 200, body: { done: true } };
}
