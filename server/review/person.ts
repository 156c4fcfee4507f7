import type { Caller } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';

/** Programs do not look, and ask nobody to. */
export function personOf(caller: Caller): string {
  if (caller.method === 'session') return caller.userId;
  throw new Refusal('credential_not_accepted', {
    message: 'Who looks at a review are people, not API keys.',
    action: 'Use a session.',
  });
}
