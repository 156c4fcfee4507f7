import type { DeskAccountListItem } from '../app/api.ts';

export type Standing = NonNullable<DeskAccountListItem['standing']>;
export type StandingState = Standing['state'];

/** What a list and its filter say. In the order of the service: the first that is true of an account. */
export const standingWords: Record<StandingState, string> = {
  suspended: 'Suspended',
  overdue: 'Payment overdue',
  not_paid: 'Not paid',
  stopped: 'Stopped',
  collection_paused: 'Collection paused',
  paused: 'Paused',
  ended: 'Plan ended',
  ends: 'Plan ends',
};

/** Undefined for what is no state, as an address may have it. */
export const readStanding = (text: string | undefined): StandingState | undefined =>
  text !== undefined && Object.hasOwn(standingWords, text) ? (text as StandingState) : undefined;

const isStopped: readonly StandingState[] = ['suspended', 'stopped', 'paused', 'ended'];

/** Writes a time for the reader. The first reads of a page know the words, but no clock. */
type Day = (time: string) => string;

/** "Payment overdue since 21 Nov, can order until 8 Dec". */
export function sayStanding({ state, since, access_until: until }: Standing, sayDay: Day): string {
  const words = standingWords[state];
  if (state === 'ends') return until === null ? words : `Ends on ${sayDay(until)}`;
  if (state === 'ended') return since === null ? words : `Plan ended on ${sayDay(since)}`;
  const begun = since === null ? words : `${words} since ${sayDay(since)}`;
  if (isStopped.includes(state)) return begun;
  return until === null ? `${begun}, cannot order` : `${begun}, can order until ${sayDay(until)}`;
}

/** On a row: only an end has its day. */
export const markStanding = (standing: Standing, sayDay: Day): string =>
  standing.state === 'ends' ? sayStanding(standing, sayDay) : standingWords[standing.state];

/** For a filter. `any`: what it says while nothing is chosen. */
export const standingOptions = (any: string) => [
  { value: '', label: any },
  ...Object.entries(standingWords).map(([value, label]) => ({ value, label })),
];
