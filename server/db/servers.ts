/** `postgres://user:password@one:5432,two:5432/atelier?…`: scheme, user, hosts, and the rest. */
const shape = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#]*)([^]*)$/;
const host = /^(?:\[[\da-f:.]+\]|[^\s,:@[\]]+)(?::([1-9]\d{0,4}))?$/i;

const example = 'postgres://user:password@host:5432/atelier';
const several = 'postgres://user:password@one:5432,two:5432/atelier';

/** One URL for each host, in their order. */
function urlsOf(url: string): string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] = shape.exec(url) ?? [];
  return hosts.split(',').map((name) => `${scheme}${user}${name}${rest}`);
}

/** What is wrong with the URL of a database, or null. It never repeats the URL, which has a password. */
export function databaseUrlProblem(url: string): string | null {
  const hosts = shape.exec(url)?.[3]?.split(',') ?? [];
  const urls = urlsOf(url);
  const ports = hosts.map((name) => Number(host.exec(name)?.[1] ?? 1));
  const isList = hosts.length > 1;
  if (hosts.length === 0 || !urls.every((each) => URL.canParse(each)))
    return `must be a URL such as ${example} or ${several}, with special characters of the password percent-encoded.`;
  if (isList && (!hosts.every((name) => host.test(name)) || !ports.every((port) => port <= 65_535)))
    return `must name each host with or without a port, without blanks, as in ${several}.`;
  const { username, password, searchParams } = new URL(urls[0] ?? '');
  if (!isDecodable(username + password))
    return 'has a % in its user or password that is no percent-encoding: write %25.';
  const named = searchParams.get('host');
  if (named?.includes(',')) return `must name several hosts before the database, as in ${several}.`;
  if (isList && (named !== null || searchParams.has('port')))
    return 'must name hosts and ports either before the database or as parameters, not both.';
  const attributes = searchParams.get('target_session_attrs');
  if (attributes !== null && !['read-write', 'primary'].includes(attributes))
    return 'may only ask for target_session_attrs=read-write or primary, which the service looks for anyway.';
  return null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The servers that a URL names. New connections go to the one that last accepted writes, and to the next
 * one if that fails. All pools of a process share this.
 */
export class Servers {
  readonly urls: readonly string[];
  #turn = 0;
  #primary: string | null = null;
  /** Connections of an earlier age are closed instead of used. */
  age = 0;
  /** While no standby confirms writes: ends with that. */
  gap: Promise<void> | null = null;
  #endGap = () => {};
  /** When a statement last found no space, on the monotonic clock. */
  fullAt = -Infinity;
  readonly #failures = new WeakMap<object, string>();

  constructor(url: string) {
    this.urls = urlsOf(url);
  }

  static readonly #byUrl = new Map<string, Servers>();

  static of(url: string): Servers {
    const servers = Servers.#byUrl.get(url) ?? new Servers(url);
    Servers.#byUrl.set(url, servers);
    return servers;
  }

  get next(): string {
    return this.urls[this.#turn] ?? '';
  }

  standbyConfirms(confirms: boolean): void {
    if (confirms) {
      this.#endGap();
      this.gap = null;
    } else this.gap ??= new Promise((resolve) => (this.#endGap = resolve));
  }

  found(url: string): void {
    if (this.#primary !== null && url !== this.#primary) this.age++;
    this.#primary = url;
    this.#turn = this.urls.indexOf(url);
  }

  /** Several callers may fail at the same server: its turn ends once. */
  failed(url: string, error: object): void {
    this.#failures.set(error, url);
    if (url === this.next) this.#turn = (this.#turn + 1) % this.urls.length;
  }

  /** The server that an attempt to connect failed at, or null if the error is about something else. */
  failedAt(error: unknown): string | null {
    return typeof error === 'object' && error !== null ? (this.#failures.get(error) ?? null) : null;
  }

  /** The server does not answer or no longer writes: other connections to it would fail, too. */
  distrust(): void {
    this.age++;
  }
}

/** A write would wait with those before it, and hold its connection for as long. */
export class NoStandby extends Error {
  readonly code = '53000';
  override readonly message = 'writes wait for a synchronous standby';
}

/** Whatever the reason, such as a wrong password, the fault is not in the request. */
export class NotConnected extends Error {
  /** That of SQL for a connection that could not be made. */
  readonly code = '08001';

  constructor(cause: unknown, message = wordsOf(cause)) {
    super(message, { cause });
  }
}

export class NoPrimary extends NotConnected {
  constructor(failures: Map<string, unknown>) {
    const each = [...failures].map(([url, error]) => `${new URL(url).host}: ${wordsOf(error)}`);
    super([...failures.values()], `no server accepts writes (${each.join('; ')})`);
  }
}

/** An error for several addresses has no message of its own, so join theirs. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join(', ');
  return error instanceof Error ? error.message : 'unknown error';
}
