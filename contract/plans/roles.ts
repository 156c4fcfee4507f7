/** Imports nothing, because pages use it. */
export const roles = ['owner', 'admin', 'member', 'reviewer'] as const;
export type Role = (typeof roles)[number];

/** Whether somebody with this role manages keys, members and plans. */
export const manages = (role: Role | null): boolean => role === 'owner' || role === 'admin';

/** Whether a change of role ends what the member made with the former one. */
export const endsAuthority = (before: Role, next: Role): boolean =>
  before !== next && before !== 'reviewer' && !manages(next);
