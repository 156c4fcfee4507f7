import { type StandingState, standingStates } from '../../contract/desk/standing-states.ts';

/** Undefined for what is no state, as an address may have it. The first reads need it without the words. */
export const readStanding = (text: string | undefined): StandingState | undefined =>
  standingStates.find((state) => state === text);
