import type { Endpoint } from '../endpoint.ts';

/** Readers of a part of the reference: programs and agents that order, those that do jobs, and the studio. */
export const audiences = ['customer', 'worker', 'operator'] as const;
export type Audience = (typeof audiences)[number];

const studioTags = ['Desk', 'Running it'];
/** People sign in, invite each other and let apps in on the web pages. */
const pageTags = ['People', 'Notifications', 'Connected apps'];

/** Whether the audience calls it. Operations that only the web pages call are in no part. */
export function isFor(audience: Audience, { auth, tag }: Pick<Endpoint, 'auth' | 'tag'>): boolean {
  if (tag === 'Reference') return true;
  if (audience === 'worker') return auth === 'desk';
  if (audience === 'operator') return studioTags.includes(tag);
  if (studioTags.includes(tag) || pageTags.includes(tag)) return false;
  const isManaged = auth === 'manager' && tag !== 'Account';
  return auth === 'caller' || isManaged || (auth === 'public' && tag !== 'Files');
}
