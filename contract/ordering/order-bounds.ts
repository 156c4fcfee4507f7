/** Imports nothing, because pages use it. */

/** Orders of an account that wait at the same time. */
export const mostWaitingOrders = 20;
/** Code points with which one is declined. */
export const mostWordsOfDecline = 2_000;
