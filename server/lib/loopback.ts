/** Names and addresses of this machine, as `hostname` of a URL has them. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Where a service listens on all addresses. Browsers on Linux and macOS open them as this machine. */
export const isEveryAddress = (hostname: string): boolean => ['0.0.0.0', '[::]', '::'].includes(hostname);

/** Whether `host` is another name of this machine than that of `publicUrl`, on the same port. */
export function isOtherName(publicUrl: string, host: string | undefined): boolean {
  const own = new URL(publicUrl);
  const address = `${own.protocol}//${host}`;
  if (!isLoopback(own.hostname) || !URL.canParse(address)) return false;
  const { hostname, port } = new URL(address);
  return hostname !== own.hostname && port === own.port && (isLoopback(hostname) || isEveryAddress(hostname));
}
