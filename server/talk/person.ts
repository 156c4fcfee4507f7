import type { Caller } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';

/** Programs neither read, follow nor look, and ask nobody to. */
export function personOf(caller: Caller): string {
  if (caller.method === 'session') return caller.userId;
  throw new Refusal('credential_not_accepted', {
    message: 'This is for people, not for API keys.',
    action: 'Use a session.',
  });
}
