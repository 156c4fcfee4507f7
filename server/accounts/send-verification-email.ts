import type { sendVerificationEmail as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import type { Auth } from './auth.ts';
import { verificationEmail } from './emails.ts';

/** Sends the mail once more; nothing to do for an address that is verified. */
export async function sendVerificationEmail(
  auth: Auth,
  { caller: { email, emailVerified } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  if (!emailVerified)
    auth.sendInBackground(verificationEmail(auth.publicUrl, email, await auth.makeVerificationToken(email)));
  return { status: 200, body: { done: true } };
}
