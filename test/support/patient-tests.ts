import { waitLonger } from './patience.ts';

/** Runs before each file of the projects that do not test deadlines. */
waitLonger();
