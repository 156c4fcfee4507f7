/** Sends to any URL. */
export const sendPlainly = (url: string): Promise<unknown> =>
  fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(1_000) }).catch(() => null);
