import * as people from '../../contract/people/people.ts';
import * as secondFactor from '../../contract/people/second-factor.ts';
import * as sessions from '../../contract/people/sessions.ts';
import { route } from '../http/handle.ts';
import { confirmSecondFactor } from './confirm-second-factor.ts';
import { endSecondFactor } from './end-second-factor.ts';
import { endSession } from './end-session.ts';
import { listSessions } from './list-sessions.ts';
import { readSession } from './read-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { startSecondFactor } from './start-second-factor.ts';

export const signInRoutes = [
  route(signIn, people.signIn),
  route(signOut, people.signOut),
  route(readSession, sessions.readSession),
  route(listSessions, sessions.listSessions),
  route(endSession, sessions.endSession),
  route(startSecondFactor, secondFactor.startSecondFactor),
  route(confirmSecondFactor, secondFactor.confirmSecondFactor),
  route(endSecondFactor, secondFactor.endSecondFactor),
];
