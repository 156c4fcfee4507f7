import type { Readable, Writable } from 'node:stream';
import { UsageError } from './exit-codes.ts';

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
