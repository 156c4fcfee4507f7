import { catalogRead, meRead, read, sessionRead } from '../app/reads.ts';

export const countsRead = read('countJobs');
/** Jobs with an open question. */
export const waitingRead = read('countJobs', { query: { waiting_on: 'customer' } });
export const unreadRead = read('countUnread');

export const bellRead = read('countNotifications', { query: { side: 'customer' } });

export const frameReads = () => ({
  session: sessionRead,
  me: meRead,
  counts: countsRead,
  waiting: waitingRead,
  unread: unreadRead,
  bell: bellRead,
  catalog: catalogRead,
});
