import { catalogRead, meRead, read, sessionRead } from '../app/reads.ts';

export const countsRead = read('countQueue');
/** Only for roles that read payments. */
export const moneyCountsRead = read('countMoney');
export const unreadRead = read('countDeskUnread');

export const bellRead = read('countNotifications', { query: { side: 'studio' } });
/** As the open bell reads it. */
export const newsRead = read('listNotifications', { query: { side: 'studio', limit: 30 } });

export const frameReads = () => ({
  session: sessionRead,
  me: meRead,
  counts: countsRead,
  unread: unreadRead,
  bell: bellRead,
  catalog: catalogRead,
});
