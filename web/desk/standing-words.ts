import type { DeskAccountListItem } from '../app/api.ts';
import type { StandingState } from '../../contract/desk/standing-states.ts';

export type Standing = NonNullable<DeskAccountListItem['standing']>;

/** What a list and its filter say. */
export const standingWords: Record<StandingState, string> = {
  suspended: 'Suspended',
  overdue: 'Payment overdue',
  not_paid: 'Not paid',
  stopped: 'Stopped',
  collection_paused: 'Collection paused',
  paused: 'Paused',
  ended: 'No plan',
  ends: 'Plan ends',
};

/** Where it says already whether orders go. */
const saysAll: readonly StandingState[] = ['suspended', 'stopped', 'paused', 'ended', 'ends'];

/** Writes a time for the reader. */
type Day = (time: string) => string;

/** "Payment overdue since 21 Nov". */
export function sayState({ state, since, access_until: until }: Standing, sayDay: Day): string {
  if (state === 'ends' && until !== null) return `Ends on ${sayDay(until)}`;
  return since === null ? standingWords[state] : `${standingWords[state]} since ${sayDay(since)}`;
}

/** "can order until 8 Dec". */
export const sayOrders = ({ access_until: until }: Standing, sayDay: Day): string =>
  until === null ? 'cannot order' : `can order until ${sayDay(until)}`;

/** "Payment overdue since 21 Nov, can order until 8 Dec". */
export const sayStanding = (standing: Standing, sayDay: Day): string =>
  [sayState(standing, sayDay), ...(saysAll.includes(standing.state) ? [] : [sayOrders(standing, sayDay)])].join(', ');

/** On a row: only an end has its day. */
export const markStanding = (standing: Standing, sayDay: Day): string =>
  standing.state === 'ends' ? sayStanding(standing, sayDay) : standingWords[standing.state];

/** For a filter. */
export const standingOptions = Object.entries(standingWords).map(([value, label]) => ({ value, label }));
