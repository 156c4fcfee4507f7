import type { DeskAccountListItem } from '../app/api.ts';

export type StandingState = NonNullable<DeskAccountListItem['standing']>['state'];

/** In the order of the service: the first that is true of an account. The first reads need no words. */
export const standingStates: readonly StandingState[] = [
  'suspended',
  'overdue',
  'not_paid',
  'stopped',
  'collection_paused',
  'paused',
  'ended',
  'ends',
];

/** Undefined for what is no state, as an address may have it. */
export const readStanding = (text: string | undefined): StandingState | undefined =>
  standingStates.find((state) => state === text);
