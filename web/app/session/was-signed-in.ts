const key = 'atelier-signed-in';

/** A hint for public pages: without it they do not ask who is there. */
export const wasSignedIn = (): boolean => localStorage.getItem(key) !== null;

export const rememberSignedIn = (): void => localStorage.setItem(key, 'yes');
export const forgetSignedIn = (): void => localStorage.removeItem(key);
