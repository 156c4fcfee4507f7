import type { Caller } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';

/** Marks belong to people. */
export function personOf(caller: Caller): string {
  if (caller.method === 'session') return caller.userId;
  throw new Refusal('credential_not_accepted', {
    message: 'What was read and who follows is stored for people, not for API keys.',
    action: 'Use a session.',
  });
}
