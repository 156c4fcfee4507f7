/** The `__Host-` prefix binds the cookie to this host. */
export const sessionCookieName = (publicUrl: string): string =>
  `${publicUrl.startsWith('https:') ? '__Host-' : ''}atelier.session_token`;
