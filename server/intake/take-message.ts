import { mostMessages } from '../../contract/intake.ts';
import type { Catalog, Family } from '../catalog/catalog.ts';
import { unsafe } from '../safety/policy.ts';
import { Refusal } from '../http/refusal.ts';
import { fits, instructionsOf } from './brief.ts';
import type { Turn } from './conversation.ts';
import { conflict, hasEnded, type SessionRow } from './session.ts';

/** Why a message cannot be taken by the session as it stands; null when it can. A message and its reply are two. */
export function cannotTake(session: SessionRow): Refusal | null {
  if (session.last_seq + 2 > mostMessages && !hasEnded(session))
    return conflict(
      `This conversation is full: it has ${session.last_seq} of ${mostMessages} messages.`,
      session.brief
        ? 'Confirm the brief, or open a new conversation.'
        : 'Open a new conversation and say it in fewer messages.',
    );
  return hasEnded(session);
}

/**
 * Why what a message leads to cannot be kept. What is harmless alone may not be so together with what was said before,
 * and a brief that create would refuse must never be proposed. What does not fit is refused, not cut: no word is lost.
 */
export function cannotKeep(
  catalog: Catalog,
  family: Family,
  { talk, brief }: Turn,
  location: '/content' | '/message',
): Refusal | null {
  if (!fits(family, talk))
    return conflict(
      'With this message the brief would be longer than 20,000 characters.',
      'Say it in fewer words, or upload it as a file and name the file here.',
    );
  return unsafe(catalog, [
    [location, brief?.customer_title ?? ''],
    [location, instructionsOf(family, talk)],
  ]);
}
