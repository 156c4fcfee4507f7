/** Behind https the session's cookie has the prefix by which browsers take it only from this very host, for all of its paths. */
export const sessionCookieName = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}atelier.session_token`;
