const key = 'atelier-signed-in';

/** A hint for public pages: without it they do not ask who is there. */
export const wasSignedIn = (): boolean => localStorage.getItem(key) === 'yes';

/** A hint for the other pages: once somebody has signed out here, their first reads would all be refused. */
export const hasSignedOut = (): boolean => localStorage.getItem(key) === 'no';

export const rememberSignedIn = (): void => localStorage.setItem(key, 'yes');
export const forgetSignedIn = (): void => localStorage.setItem(key, 'no');
