/** What can matter about an account, the most important first. Pages read it, too, so it imports nothing. */
export const standingStates = [
  'suspended',
  'overdue',
  'not_paid',
  'stopped',
  'collection_paused',
  'paused',
  'ended',
  'ends',
] as const;
export type StandingState = (typeof standingStates)[number];
