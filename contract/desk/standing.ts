import Type, { type Static } from 'typebox';
import { Closed, Nullable, Timestamp } from '../shapes.ts';
import { standingStates } from './standing-states.ts';

const State = Type.Enum([...standingStates], {
  $id: 'StandingState',
  type: 'string',
  description: '`ended`: no plan gives access any more. `ends`: an end is set. Otherwise the state of a plan.',
});

export const Standing = Closed(
  { state: State, since: Nullable(Timestamp('Its begin.')), access_until: Nullable(Timestamp('When access ends.')) },
  { $id: 'Standing', description: 'The one thing that matters about an account.' },
);
export type Standing = Static<typeof Standing>;

export const standing = Nullable(Standing, 'Null if all is well.');
export const standingFilter = Type.Optional(State);
