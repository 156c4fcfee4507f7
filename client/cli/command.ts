import type { Readable, Writable } from 'node:stream';
import { AtelierError } from '../error.ts';

export type Option = { value?: string; short?: string; multiple?: true; description: string };

/** What a command may use of its process. `main.ts` gives it the real one. */
export type Io = {
  stdin: Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Env;
  cwd(): string;
};

export type Env = Record<string, string | undefined>;
export type Connection = { url?: string | undefined; profile: string; env: Env };

export type Input = {
  args: string[];
  text(name: string): string | undefined;
  texts(name: string): string[];
  flag(name: string): boolean;
  json: boolean;
  connection: Connection;
};

export type Command = {
  name: string;
  /** For example `<job> <text>`; arguments in `[]` are optional. */
  args?: string;
  summary: string;
  options?: Record<string, Option>;
  examples: string[];
  /** Subcommands by full name: `api readJob`. */
  commands?(): Command[];
  /** Returns the exit code; undefined means success. */
  run(input: Input, io: Io): Promise<number | void>;
};

/** Throws a usage error if the argument is missing. */
export function argument({ args }: Input, place: number, name: string): string {
  const value = args[place];
  if (value === undefined) throw new UsageError(`The ${name} is missing.`);
  return value;
}

export const sharedOptions: Record<string, Option> = {
  json: { description: 'print results as JSON, one value a line' },
  url: { value: 'URL', description: 'address of the service (ATELIER_URL)' },
  profile: { value: 'NAME', description: 'saved login to use (ATELIER_PROFILE)' },
  help: { short: 'h', description: 'show help' },
};

export const exitCodes = {
  done: 0,
  notDone: 1,
  misused: 2,
  identity: 3,
  notFound: 4,
  state: 5,
  limit: 6,
  unreachable: 7,
} as const;

/** The command is wrong, or needs something that this machine lacks. */
export class UsageError extends Error {
  readonly action: string;
  constructor(message: string, action = 'See: atelier --help') {
    super(message);
    this.action = action;
  }
}

/** There is no key that may be sent. */
export class IdentityError extends UsageError {}

const limits = [
  'entitlement_required',
  'quota_exceeded',
  'concurrency_limit_exceeded',
  'confirmation_required',
  'limit_reached',
  'plan_already_active',
];

export function exitCodeOf(error: unknown): number {
  if (error instanceof IdentityError) return exitCodes.identity;
  if (error instanceof UsageError) return exitCodes.misused;
  if (!(error instanceof AtelierError)) return exitCodes.notDone;
  if (error.code === 'unreachable' || error.status >= 500) return exitCodes.unreachable;
  if (error.status === 429 || limits.includes(error.code)) return exitCodes.limit;
  if (error.status === 401 || error.status === 403) return exitCodes.identity;
  if (error.status === 404) return exitCodes.notFound;
  if (error.status === 409 || error.status === 410) return exitCodes.state;
  // 400 with details is a usage error. Without details it is an approval in the wrong state.
  return error.status === 400 && error.details.length === 0 ? exitCodes.state : exitCodes.misused;
}
