/** Bounds of an entry of noted time. Plain data, used by the service and the desk. */
export const timeBounds = { minutes: 1_440, words: 200, daysBack: 366 };
