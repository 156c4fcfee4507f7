import { waitLongerForAll } from './patience.ts';

/** `--import` gives it to a service that a test starts and does not fail on purpose. */
waitLongerForAll();
