import type { Endpoint } from './endpoint.ts';

/** Readers of a part of the reference: programs and agents that order, those that do jobs, and the studio. */
export const audiences = ['customer', 'worker', 'operator'] as const;
export type Audience = (typeof audiences)[number];

const ofStudio = ['Desk', 'Running it'];
/** Of people in the pages, who sign in, invite each other and let apps in. */
const ofPeople = ['People', 'Notifications', 'Connected apps'];

/** Whether the audience calls it. What only people in the pages call is in the whole reference alone. */
export function isFor(audience: Audience, { auth, tag }: Pick<Endpoint, 'auth' | 'tag'>): boolean {
  if (tag === 'Reference') return true;
  if (audience === 'worker') return auth === 'desk';
  if (audience === 'operator') return ofStudio.includes(tag);
  if (ofStudio.includes(tag) || ofPeople.includes(tag)) return false;
  const isManaged = auth === 'manager' && tag !== 'Account';
  return auth === 'caller' || isManaged || (auth === 'public' && tag !== 'Files');
}
