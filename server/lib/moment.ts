const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** "3 December 2026 at 14:05 UTC": for readers whose time zone is not known. */
export const sayMoment = (time: Date | string): string => `${moment.format(new Date(time))} UTC`;
