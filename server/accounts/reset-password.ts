import type { resetPassword as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';

/** Sets the password, uses the token up, and ends all sessions of the user. */
export async function resetPassword(
  auth: Auth,
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const unknown = badBody([{ location: '/token', message: 'is not valid, was used, or has expired' }]);
  const reset = auth.api.resetPassword({ body: { token: body.token, newPassword: body.new_password } });
  await askLibrary(reset, { INVALID_TOKEN: unknown, USER_NOT_FOUND: unknown });
  return { status: 200, body: { done: true } };
}
