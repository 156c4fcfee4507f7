import type { Member, OrderListItem } from '../../app/api.ts';
import { sayWeekday } from '../../ui/time/time.tsx';

type Decided = Pick<OrderListItem, 'status' | 'lapses_at' | 'decided_by'>;

/** Who confirms or declines: "Ada or Noor". The maker never does. */
export function deciders(members: Member[], makerId: string): string {
  const names = members
    .filter(({ role, user }) => (role === 'owner' || role === 'admin') && user.id !== makerId)
    .map(({ user }) => user.name);
  return names.length === 0 ? 'an owner or admin' : new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
}

/** What has become of an order, in one line. */
export function sayOrder({ status, lapses_at, decided_by }: Decided, who: string): string {
  const by = decided_by?.name ?? 'Somebody';
  if (status === 'waiting') return `Waits for ${who} until ${sayWeekday(lapses_at)}`;
  if (status === 'confirmed') return `${by} confirmed it`;
  if (status === 'declined') return `${by} declined it`;
  return status === 'lapsed' ? 'Nobody confirmed it in time' : 'It has ended';
}
