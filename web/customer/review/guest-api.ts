import { Atelier } from '../../app/api.ts';
import { reviewToken } from '../fragment-tokens.ts';

/** By the token of the link alone: no cookie is sent, even if a member opens the link. */
const sendAsGuest: typeof fetch = (input, init) => {
  const request = new Request(input, { ...init, credentials: 'omit' });
  request.headers.set('authorization', `Review ${reviewToken()}`);
  return fetch(request);
};

export const guestApi = new Atelier({ url: location.origin, retries: 1, maxWaitSeconds: 2, fetch: sendAsGuest });
