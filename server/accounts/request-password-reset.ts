import { setTimeout as sleep } from 'node:timers/promises';
import type { requestPasswordReset as endpoint } from '../../contract/accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Request } from '../http/request.ts';
import { type Auth, askLibrary } from './auth.ts';
import { normalEmail } from './person.ts';

/** Every answer takes at least this long, in milliseconds: more than the row that is only written for a known address. */
const atLeast = 250;

/** Says nothing about whether the address is known, neither by the answer nor by its time. */
export async function requestPasswordReset(
  auth: Auth,
  { body }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const request = auth.api.requestPasswordReset({ body: { email: normalEmail(body.email) } });
  await Promise.all([askLibrary(request, {}), sleep(atLeast)]);
  return { status: 200, body: { done: true } };
}
