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

export const draftOptions: Record<string, Option> = {
  family: { value: 'ID', description: 'service family, such as design' },
  type: { value: 'ID', description: 'service option, such as logo' },
  title: { value: 'TEXT', description: 'title of the job' },
  instructions: { value: 'TEXT|@FILE', description: 'instructions, or a file that holds them' },
  reference: { value: 'TEXT', description: 'your own number or name for the job' },
  metadata: { value: 'KEY=VALUE', multiple: true, description: 'your own data; repeat for more' },
  'wanted-by': { value: 'TIME', description: 'when you wish to have the work, ISO 8601 with a zone; it promises nothing' },
  file: { value: 'FILE', short: 'f', description: 'draft.md with front matter, or draft.json; - for standard input' },
};
export const draftOf = (input: Input) => ({
  family: input.text('family'),
  type: input.text('type'),
  title: input.text('title'),
  instructions: input.text('instructions'),
  reference: input.text('reference'),
  metadata: input.texts('metadata'),
  wanted_by: input.text('wanted-by'),
  file: input.text('file'),
});
