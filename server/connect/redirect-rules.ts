/** Schemes by which hosts of today come back: RFC 8252, 7.1, though it asks for a reversed domain name. */
const nativeSchemes = ['cursor:', 'mcpjam:', 'raycast:', 'vscode:', 'vscode-insiders:', 'warp:', 'windsurf:'];

/** In characters, and addresses of one app. */
const longest = 500;
const most = 20;

/** The scheme is a reversed domain name of the program, and no host follows. */
const reversedDomain = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+:\/(?!\/)/i;
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?]|$)/i;
const isLoopbackHost = (host: string) => /^(.*\.)?localhost\.*$|^127(\.\d+){3}$|^\[::1\]$/i.test(host);

/** What is wrong with an address that an app wants the browser back at. Null if nothing is. */
export function redirectFault(redirect: unknown): string | null {
  if (typeof redirect !== 'string' || !/^[\x21-\x7e]+$/.test(redirect) || !URL.canParse(redirect))
    return 'must be an address, without spaces';
  if (redirect.length > longest) return `must have at most ${longest} characters`;
  const { protocol, host, hostname, username, password } = new URL(redirect);
  if (redirect.includes('#') || username !== '' || password !== '') return 'must have no fragment and no password';
  if (protocol === 'https:') return isLoopbackHost(hostname) ? 'must begin with http:// on this computer' : null;
  if (protocol === 'http:')
    return loopback.test(redirect) ? null : 'must begin with https://, or with http:// on localhost or 127.0.0.1';
  if (nativeSchemes.includes(protocol)) return host === '' ? `must continue ${protocol} with // and a host` : null;
  if (reversedDomain.test(redirect)) return null;
  if (protocol.includes('.')) return `must have exactly one slash after ${protocol}`;
  return `must not use the scheme ${protocol}; allowed are https, http on this computer, a reversed domain name with one slash, and ${nativeSchemes.join(' ')}`;
}

/** The first fault of the redirects of an app, with the place of the address. */
export function redirectsFault(redirects: unknown): string | null {
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > most)
    return `redirect_uris must be a list of 1 to ${most} addresses.`;
  for (const [index, redirect] of redirects.entries()) {
    const fault = redirectFault(redirect);
    if (fault !== null) return `redirect_uris[${index}] ${fault}.`;
  }
  return null;
}
